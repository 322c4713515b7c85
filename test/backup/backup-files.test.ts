// The files of a backup: how each is named, and how backups share one.
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { isShared, openBackupFiles, openBase, shareFile } from '../../src/backup/backup-files.ts';
import { fileId } from '../helpers/blobs/memory-files.ts';
import { createMemoryBlobs, factsOf, useTemporaryFolders, writeSmallBackup } from './stage/small-backup.ts';

const facts = factsOf(fileId(1), 'bytes');
const blobs = { ...createMemoryBlobs(), internalPath: (id: string) => `abc/${id}` };

describe('the files of a backup', () => {
  const newFolder = useTemporaryFolders();
  const write = (path: string, text: string) => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  };

  it('a file is named by its hash, and in the first format by its id', () => {
    assert.equal(openBackupFiles('/b', blobs).pathOf(facts), `/b/files/abc/${facts.sha256}`);
    assert.equal(openBackupFiles('/b', blobs, 'gatehouse backup 1').pathOf(facts), `/b/files/abc/${facts.id}`);
    assert.equal(openBackupFiles('/b', createMemoryBlobs()).pathOf(facts), `/b/files/${facts.sha256}`);
  });

  it('a view reads and keeps under the name of the file, whatever id is asked for', async () => {
    const memory = createMemoryBlobs({ [facts.sha256]: 'bytes' });
    const view = openBackupFiles('/b', memory).viewOf(facts);
    const stream = await view.read(fileId(9), { start: 0, end: 4 }, 5);
    assert.equal(Buffer.concat(await stream.toArray()).toString(), 'bytes');
    const spool = await memory.spool();
    await spool.write(Buffer.from('other'));
    await view.keep(spool, fileId(9), facts.sha256);
    assert.equal(memory.texts.get(facts.sha256), 'other');
  });

  it('a file of the same size is shared as one file on the disk, and twice is as good as once', async () => {
    const [from, to] = [openBackupFiles(newFolder(), blobs), openBackupFiles(newFolder(), blobs)];
    write(from.pathOf(facts), 'bytes');
    assert.equal(await isShared(from, to, facts), false);
    assert.equal(await shareFile(from, to, facts), true);
    assert.equal(await shareFile(from, to, facts), true);
    assert.equal(statSync(from.pathOf(facts)).ino, statSync(to.pathOf(facts)).ino);
    assert.equal(await isShared(from, to, facts), true);
  });

  it('a file that is missing or has another size is not shared', async () => {
    const [from, to] = [openBackupFiles(newFolder(), blobs), openBackupFiles(newFolder(), blobs)];
    assert.equal(await shareFile(from, to, facts), false);
    write(from.pathOf(facts), 'byte');
    assert.equal(await shareFile(from, to, facts), false);
    assert.equal(statSync(to.pathOf(facts), { throwIfNoEntry: false }), undefined);
  });

  it('two files with the same bytes are not a shared one', async () => {
    const [one, other] = [openBackupFiles(newFolder(), blobs), openBackupFiles(newFolder(), blobs)];
    for (const files of [one, other]) write(files.pathOf(facts), 'bytes');
    assert.equal(await isShared(one, other, facts), false);
  });

  it('an earlier backup is opened in its own format, and an unfinished one as a new one', async () => {
    const folder = newFolder();
    mkdirSync(join(folder, 'files'));
    assert.match((await openBase(folder, blobs)).pathOf(facts), new RegExp(facts.sha256));
    await writeSmallBackup(folder, { pages: [], files: [] });
    const path = join(folder, 'manifest.json');
    writeFileSync(path, readFileSync(path, 'utf8').replace('backup 2', 'backup 1'));
    assert.match((await openBase(folder, blobs)).pathOf(facts), new RegExp(`${facts.id}$`));
  });

  it('a folder without files is no earlier backup to share with', () =>
    assert.rejects(openBase(newFolder(), blobs), /is not the folder of a backup with files/));
});
