// A backup as one file: which names mean a file, and what an error says when it cannot be unpacked or is no backup.
import assert from 'node:assert/strict';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { isFileName, withBackupFolder } from '../../src/backup/backup-file.ts';
import { readManifest } from '../../src/backup/manifest.ts';
import { BackupError } from '../../src/backup/snapshot.ts';
import { useTemporaryFolders } from './stage/small-backup.ts';

describe('the name of a backup', () => {
  for (const [path, expected] of [
    ['/backups/monday.tar', true],
    ['monday.tar', true],
    ['/backups/monday', false],
    ['/backups/monday.tar/x', false],
    ['/backups/monday.tar.gz', false],
  ] as const) {
    it(`${path} is a ${expected ? 'file' : 'folder'}`, () => assert.equal(isFileName(path), expected));
  }
});

describe('an archive that cannot be used', () => {
  const newFolder = useTemporaryFolders();

  it('is called by its own name, not by that of the folder it was unpacked into', async () => {
    const folder = newFolder();
    const path = join(folder, 'empty.tar');
    writeFileSync(path, '');
    await assert.rejects(
      withBackupFolder(path, async (unpacked) => readManifest(unpacked, () => undefined)),
      new BackupError(`${path} is not a finished backup: it has no manifest.json. Name the folder of a backup.`),
    );
    assert.deepEqual(readdirSync(folder), ['empty.tar']);
  });

  it('in a folder that takes no other, it says where it is unpacked, and what to do', async () => {
    const path = join('/proc', String(process.pid), 'status');
    await assert.rejects(
      withBackupFolder(path, async () => undefined),
      (error) => {
        assert.ok(error instanceof BackupError);
        const [start, end] = [
          `${path} is unpacked next to itself, and no folder can be made there: `,
          '. Copy it to a folder that you may write to.',
        ];
        assert.ok(error.message.startsWith(start) && error.message.endsWith(end), error.message);
        return true;
      },
    );
  });
});
