// The entries of a backup folder: its parts and the files of its list, and nothing else.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { openBase } from '../../../src/backup/backup-files.ts';
import { databasePath, hashOf, openPart } from '../../../src/backup/backup-folder.ts';
import { readJournal } from '../../../src/backup/journal/journal.ts';
import { type Manifest, readManifest } from '../../../src/backup/manifest.ts';
import { checkEntries, checkUnlisted } from '../../../src/backup/restore/check-folder.ts';
import { checkParts } from '../../../src/backup/restore/check-rows.ts';
import { BackupError } from '../../../src/backup/snapshot.ts';
import { fileId } from '../../helpers/blobs/memory-files.ts';
import { createMemoryBlobs, factsOf, useTemporaryFolders, writeSmallBackup } from '../stage/small-backup.ts';

const hash = 'ab'.repeat(32);

function place(folder: string, paths: readonly string[]): void {
  for (const path of paths) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    if (path.endsWith('/')) mkdirSync(join(folder, path), { recursive: true });
    else writeFileSync(join(folder, path), 'x');
  }
}

describe('the folder of a backup', () => {
  const newFolder = useTemporaryFolders();

  async function look(folder: string) {
    const findings: string[] = [];
    const isReadable = await checkEntries(folder, (finding) => findings.push(finding));
    return { isReadable, findings };
  }

  it('has its parts, shelves with files of both formats, and an empty folder of spools', async () => {
    const folder = newFolder();
    place(folder, ['manifest.json', 'manifest.mac', 'database.jsonl.gz', 'files.jsonl', 'files/spool/', 'files/000/']);
    place(folder, [`files/abc/${hash}`, `files/fff/${fileId(1)}`]);
    assert.deepEqual(await look(folder), { isReadable: true, findings: [] });
  });

  for (const path of [
    'more',
    'more/',
    'journal.jsonl',
    'manifest.json/',
    'files',
    'files/more',
    'files/more/',
    `files/${hash}`,
    'files/ABC/',
    'files/abcd/',
    'files/abc/more',
    'files/abc/more/',
    `files/abc/${hash}/`,
    'files/spool/more',
    'variants/',
  ]) {
    it(`has no ${path}`, async () => {
      const folder = newFolder();
      place(folder, [path]);
      const name = path.replace(/\/$/, '');
      assert.deepEqual(await look(folder), { isReadable: true, findings: [`“${name}” is no part of a backup`] });
    });
  }

  for (const path of ['more', 'manifest.json', 'files.jsonl', 'files', `files/abc/${hash}`]) {
    it(`is not read with a link or a pipe as ${path}`, async () => {
      const [linked, piped] = [newFolder(), newFolder()];
      for (const folder of [linked, piped]) place(folder, [join(dirname(path), '/')]);
      symlinkSync('/dev/zero', join(linked, path));
      execFileSync('mkfifo', [join(piped, path)]);
      for (const folder of [linked, piped])
        assert.deepEqual(await look(folder), {
          isReadable: false,
          findings: [`“${path}” is neither a file nor a folder`],
        });
    });
  }

  it('has no file that is not on the list, and none under another name, however many are compared at once', async () => {
    const folder = newFolder();
    const files = Array.from({ length: 5 }, (_, index) => factsOf(fileId(index), `text ${index}`));
    await writeSmallBackup(folder, { pages: [], files });
    const copies = { pathOf: ({ sha256 }: { sha256: string }) => join(folder, 'files', sha256.slice(0, 3), sha256) };
    for (const { sha256 } of files) place(folder, [`files/${sha256.slice(0, 3)}/${sha256}`]);
    const strays = [`files/abc/${hash}`, `files/000/${files[0]?.sha256}`, `files/abc/${fileId(1)}`];
    const tell = async (areIncluded: boolean, most?: number) => {
      const findings: string[] = [];
      const manifest = { files: { count: 5, bytes: 1, areIncluded } };
      await checkUnlisted({ folder, manifest, copies }, (finding) => findings.push(finding), most);
      return findings.sort();
    };
    assert.deepEqual(await tell(true), []);
    assert.equal((await tell(false)).length, 5, 'a backup without files has none');
    place(folder, strays);
    for (const most of [1, 2, 100, undefined])
      assert.deepEqual(await tell(true, most), strays.map((path) => `“${path}” is not on the list of files`).sort());
  });

  it('a part is opened only if it is a file, and without waiting', async () => {
    const folder = newFolder();
    place(folder, ['file', 'folder/']);
    symlinkSync(join(folder, 'file'), join(folder, 'link'));
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    assert.equal(await openPart(join(folder, 'none')), undefined);
    const handle = await openPart(join(folder, 'file'));
    assert.equal(await handle?.readFile('utf8'), 'x');
    await handle?.close();
    for (const name of ['folder', 'link', 'pipe'])
      await assert.rejects(openPart(join(folder, name)), (error: Error) => {
        assert.ok(error instanceof BackupError);
        return error.message === `The backup cannot be used: ${name} is not a file.`;
      });
    await assert.rejects(openPart('/dev/zero'), /zero is not a file/);
  });

  it('a part that cannot be read is not reported as missing, but a missing one is', async () => {
    const folder = newFolder();
    // Fails for every user, also for one who may read everything.
    const unreadable = join(folder, 'x'.repeat(300));
    const sha256 = { database: 'ab'.repeat(32), fileList: 'ab'.repeat(32) };
    for (const read of [
      () => openPart(join(unreadable, 'manifest.json')),
      () => readManifest(unreadable),
      () => hashOf(databasePath(unreadable)),
      () => checkParts(unreadable, { sha256 } as Manifest),
      () => openBase(unreadable, createMemoryBlobs()),
      () => readJournal(unreadable, 0),
    ])
      await assert.rejects(read, (error: Error) => {
        assert.ok(error instanceof BackupError, `${error}`);
        assert.doesNotMatch(error.message, /missing|has no|not a finished|Write it with/);
        return / cannot be read: ENAMETOOLONG/.test(error.message);
      });
    assert.deepEqual(await checkParts(folder, { sha256 } as Manifest), [
      'the database is missing',
      'the list of files is missing',
    ]);
    await assert.rejects(readManifest(folder), /is not a finished backup: it has no manifest\.json/);
    place(folder, ['file']);
    for (const name of ['none', 'file/none'])
      await assert.rejects(readManifest(join(folder, name)), /none does not exist\. Name the folder or the \.tar/);
  });
});
