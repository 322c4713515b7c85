// Deleting a file: the record first, then the bytes; what is not the user's own is not found.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { deleteFile } from '../../src/files/delete-file.ts';
import type { FileDeps } from '../../src/files/deps.ts';
import type { Act } from '../../src/kernel/audit.ts';
import { clock, fileId, memoryBlobs, memoryFiles, noon, unavailable } from '../helpers/memory-files.ts';

function stage(isDeleted: boolean, hasStorage = true) {
  const seen: unknown[] = [];
  const files = memoryFiles([], {
    deleteFile: async (input) => {
      seen.push(input);
      return isDeleted;
    },
  });
  const remove = async (id: string) => {
    seen.push(`remove ${id}`);
    if (!hasStorage) throw unavailable();
  };
  const sweeps = { noteOwn: async (input: unknown) => void seen.push(input) };
  const deps = { files, blobs: memoryBlobs({}, { remove }), sweeps, clock } as unknown as FileDeps;
  return { deps, seen };
}

describe('deleting a file', () => {
  const id = fileId(7);

  it('the record is deleted first, then the bytes', async () => {
    const { deps, seen } = stage(true);
    await deleteFile(deps, { userId: 'ann', id });
    assert.deepEqual(seen, [{ userId: 'ann', id, now: noon }, `remove ${id}`]);
  });

  it('the actor and the reason of staff reach the store', async () => {
    const { deps, seen } = stage(true);
    const by: Act = { actor: 'cli', why: 'law' };
    await deleteFile(deps, { userId: 'ann', id, by });
    assert.deepEqual(seen[0], { userId: 'ann', id, now: noon, by });
  });

  it('a file that the user does not have is not found, and no bytes are removed', async () => {
    const { deps, seen } = stage(false);
    await assert.rejects(deleteFile(deps, { userId: 'ann', id }), { code: 'FILE_NOT_FOUND' });
    assert.deepEqual(seen, [{ userId: 'ann', id, now: noon }]);
  });

  it('the store is not asked to delete what is no id of a file', async () => {
    const { deps, seen } = stage(true);
    await assert.rejects(deleteFile(deps, { userId: 'ann', id: 'fil_short' }), { code: 'FILE_NOT_FOUND' });
    assert.deepEqual(seen, []);
  });

  it('a deletion succeeds without the storage, and the bytes are noted for later', async () => {
    const { deps, seen } = stage(true, false);
    await deleteFile(deps, { userId: 'ann', id });
    assert.deepEqual(seen.slice(1), [`remove ${id}`, { ids: [id], now: noon }]);
  });
});
