// Deleting a file for good: the record first, then the bytes; what does not exist is not found.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { FileDeps } from '../../../src/files/deps.ts';
import type { StoredFile } from '../../../src/files/stored-file.ts';
import { deleteFile } from '../../../src/files/trash/delete-file.ts';
import type { Act } from '../../../src/kernel/audit.ts';
import {
  clock,
  fileId,
  memoryBlobs,
  memoryFiles,
  noon,
  recordOf,
  unavailable,
} from '../../helpers/blobs/memory-files.ts';
import { asUserId } from '../../helpers/people/ids.ts';

function stage(isDeleted: boolean, hasStorage = true, records: readonly StoredFile[] = []) {
  const seen: unknown[] = [];
  const files = memoryFiles(records, {
    deleteFile: async (input) => {
      seen.push(input);
      return isDeleted;
    },
  });
  const remove = async (id: string) => {
    seen.push(`remove ${id}`);
    if (!hasStorage) throw unavailable();
  };
  const removals = {
    add: async (ids: unknown) => void seen.push(['add', ids]),
    end: async ({ ids }: { ids: unknown }) => void seen.push(['end', ids]),
  };
  const deps = { files, blobs: memoryBlobs({}, { remove }), removals, clock } as unknown as FileDeps;
  return { deps, seen };
}

describe('deleting a file', () => {
  const id = fileId(7);
  const by: Act = { actor: 'cli', why: 'law' };

  it('the record is deleted first, then the bytes', async () => {
    const { deps, seen } = stage(true);
    await deleteFile(deps, { userId: asUserId('ann'), id, by });
    assert.deepEqual(seen, [{ userId: 'ann', id, now: noon, by }, `remove ${id}`, ['end', [id]]]);
  });

  it('a file that the user does not have is not found, and no bytes are removed', async () => {
    const { deps, seen } = stage(false);
    await assert.rejects(deleteFile(deps, { userId: asUserId('ann'), id, by }), { code: 'FILE_NOT_FOUND' });
    assert.deepEqual(seen, [{ userId: 'ann', id, now: noon, by }]);
  });

  it('the store is not asked to delete what is no id of a file', async () => {
    const { deps, seen } = stage(true);
    await assert.rejects(deleteFile(deps, { userId: asUserId('ann'), id: 'fil_short', by }), {
      code: 'FILE_NOT_FOUND',
    });
    assert.deepEqual(seen, []);
  });

  it('a deletion succeeds without the storage, and the bytes stay in the queue', async () => {
    const { deps, seen } = stage(true, false);
    await deleteFile(deps, { userId: asUserId('ann'), id, by });
    assert.deepEqual(seen.slice(1), [`remove ${id}`]);
  });

  it('the back end deletes a file of any user, also from the trash, and the act reaches the store', async () => {
    const by = { actor: 'service', key: 'k1', why: '' } as const;
    const record = recordOf(id, 'x', { deletedAt: noon - 1 });
    const { deps, seen } = stage(true, true, [record]);
    await deleteFile(deps, { id, by });
    assert.deepEqual(seen, [{ userId: record.userId, id, now: noon, by }, `remove ${id}`, ['end', [id]]]);
    for (const wrong of [fileId(8), 'fil_short'])
      await assert.rejects(deleteFile(deps, { id: wrong, by }), { code: 'FILE_NOT_FOUND' });
    assert.equal(seen.length, 3);
  });
});
