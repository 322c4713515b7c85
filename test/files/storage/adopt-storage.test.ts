// Adopting a storage: a new id, in the database first and then in the storage, with the former id on record.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { adoptStorage } from '../../../src/files/storage/adopt-storage.ts';
import type { InstallationStore } from '../../../src/files/storage/installation.ts';
import { clock, memoryBlobs, noon } from '../../helpers/blobs/memory-files.ts';

const by = { actor: 'cli', why: 'restored' } as const;

describe('adopting a storage', () => {
  for (const before of ['ins_before', undefined]) {
    it(`a storage of ${before ?? 'nobody'} gets a new id after the database has it`, async () => {
      const blobs = memoryBlobs();
      blobs.mark = before;
      const adopted: unknown[] = [];
      const adopt: InstallationStore['adopt'] = async (input) => {
        assert.equal(blobs.mark, before);
        adopted.push(input);
      };
      const installations = { adopt } as InstallationStore;
      const id = await adoptStorage({ blobs, installations, clock }, by);
      assert.match(id, /^ins_[\w-]{22}$/);
      assert.equal(blobs.mark, id);
      assert.deepEqual(adopted, [{ id, before, by, now: noon }]);
    });
  }

  it('the id is new each time', async () => {
    const installations = { adopt: async () => undefined } as unknown as InstallationStore;
    const ids = await Promise.all([1, 2].map(() => adoptStorage({ blobs: memoryBlobs(), installations, clock }, by)));
    assert.equal(new Set(ids).size, 2);
  });

  it('the storage keeps its id if the database fails', async () => {
    const blobs = memoryBlobs();
    blobs.mark = 'ins_before';
    const adopt = () => Promise.reject(new Error('no database'));
    const installations = { adopt } as unknown as InstallationStore;
    await assert.rejects(adoptStorage({ blobs, installations, clock }, by), /no database/);
    assert.deepEqual([blobs.mark, blobs.calls], ['ins_before', []]);
  });
});
