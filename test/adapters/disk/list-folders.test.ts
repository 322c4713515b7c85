// The folders of blobs on disk: each id has one, and all folders together list the ids in their order.
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { folderOf, listFolders } from '../../../src/adapters/disk/list-folders.ts';
import { newFileId } from '../../../src/files/stored-file.ts';
import { useTemporaryFolders } from '../../backup/stage/small-backup.ts';

const idFrom = (start: string) => `fil_${start}${'A'.repeat(22 - start.length)}`;

describe('the folder of a blob', () => {
  for (const [start, folder] of [
    ['AA', '000'],
    ['AB', '001'],
    ['BA', '040'],
    ['__', 'fff'],
    ['--', 'fbe'],
    ['zz', 'cf3'],
  ] as const) {
    it(`of an id that starts with ${start} is ${folder}`, () => assert.equal(folderOf(idFrom(start)), folder));
  }

  it('depends on the first two characters only, and is one of 4096', () => {
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const folders = [...alphabet].flatMap((one) => [...alphabet].map((two) => folderOf(idFrom(`${one}${two}`))));
    assert.equal(new Set(folders).size, 4096);
    assert.ok(folders.every((folder) => /^[0-9a-f]{3}$/.test(folder)));
    for (const rest of ['AA', '__', 'zz']) assert.equal(folderOf(idFrom(`Qx${rest}`)), folderOf(idFrom('QxAA')));
  });
});

describe('the list of blobs on disk', () => {
  const newFolder = useTemporaryFolders();
  const keep = (root: string, id: string, folder = folderOf(id)) => {
    mkdirSync(join(root, folder), { recursive: true });
    writeFileSync(join(root, folder, id), 'x');
  };
  const list = async (root: string, after = '') => {
    const ids: string[] = [];
    for await (const { id, size } of listFolders(root, after)) {
      assert.equal(size, 1);
      ids.push(id);
    }
    return ids;
  };

  it('has every blob once, in the order of the ids, from any place on', async () => {
    const root = newFolder();
    const ids = [
      ...['AA', 'AB', 'BA', '__', '--', 'zz', '09'].map(idFrom),
      `${idFrom('QQ').slice(0, -1)}B`,
      idFrom('QQ'),
      ...Array.from({ length: 30 }, newFileId),
    ];
    for (const id of ids) keep(root, id);
    const sorted = ids.toSorted();
    assert.deepEqual(await list(root), sorted);
    for (const after of [...ids.slice(0, 12), idFrom('CC'), 'fil_', 'fil_QQ', 'z'])
      assert.deepEqual(
        await list(root, after),
        sorted.filter((id) => id > after),
        after,
      );
  });

  it('leaves out everything else: other names, other folders, folders, and blobs in the wrong folder', async () => {
    const root = newFolder();
    const id = idFrom('QQ');
    keep(root, id);
    keep(root, 'notes.txt', folderOf(id));
    keep(root, idFrom('AA'), folderOf(id));
    keep(root, idFrom('BB'), 'spool');
    keep(root, idFrom('BB'), 'FFF');
    mkdirSync(join(root, folderOf(id), `${id.slice(0, -1)}B`));
    writeFileSync(join(root, 'gatehouse-installation'), 'x');
    writeFileSync(join(root, '123'), 'a file where a folder should be');
    assert.deepEqual(await list(root), [id]);
  });

  it('of a folder that does not exist is empty', async () =>
    assert.deepEqual(await list(join(newFolder(), 'none')), []));
});
