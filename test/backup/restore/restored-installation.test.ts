// The installation id in the rows of a backup.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { chooseInstallation, replaceInstallation } from '../../../src/backup/restore/restored-installation.ts';
import {
  createMemoryBlobs,
  shapes,
  smallSchema,
  userRow,
  useTemporaryFolders,
  writeSmallBackup,
} from '../stage/small-backup.ts';

describe('the installation of a restored database', () => {
  const newFolder = useTemporaryFolders();
  const own = { shape: shapes.installation, rows: [['here', 'original', 1]] };
  const users = { shape: shapes.users, rows: [userRow('ann')] };

  it('only the rows of the installation get the chosen id', () => {
    assert.deepEqual(replaceInstallation(own, 'new'), [['here', 'new', 1]]);
    assert.deepEqual(replaceInstallation(own, undefined), [['here', null, 1]]);
    assert.equal(replaceInstallation(users, 'new'), users.rows);
  });

  for (const [what, pages, mark, expected] of [
    ['its own storage', [own, users], 'original', 'original'],
    ['another storage and no id of its own', [users], 'another', undefined],
    ['no rows at all', [], undefined, undefined],
  ] as const) {
    it(`a backup with ${what} gets ${expected ?? 'none'}`, async () => {
      const folder = newFolder();
      await writeSmallBackup(folder, { pages, files: [] });
      assert.equal(await chooseInstallation(createMemoryBlobs({}, mark), folder, smallSchema), expected);
    });
  }

  it('a copy in a new storage gets a new id each time', async () => {
    const folder = newFolder();
    await writeSmallBackup(folder, { pages: [own], files: [] });
    const ids = [
      await chooseInstallation(createMemoryBlobs(), folder, smallSchema),
      await chooseInstallation(createMemoryBlobs(), folder, smallSchema),
    ];
    assert.equal(new Set([...ids, 'original', undefined]).size, 4);
  });
});
