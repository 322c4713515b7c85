// Variants in the care of files: what the check, the repair, the move and the sweep do with them, on disk and in S3.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { createDiskBlobs } from '../../../src/adapters/disk/disk-blobs.ts';
import { createS3Blobs } from '../../../src/adapters/s3/s3-blobs.ts';
import type { BlobStore } from '../../../src/files/storage/blob-store.ts';
import { checkFiles, removeAllAdrift } from '../../../src/files/storage/check-files.ts';
import { graceSeconds } from '../../../src/files/storage/examine-slice.ts';
import { moveBlobs } from '../../../src/files/storage/move-blobs.ts';
import { newFileId } from '../../../src/files/stored-file.ts';
import { removeBytes } from '../../../src/files/sweeps/remove-bytes.ts';
import type { FileId } from '../../../src/kernel/ids.ts';
import { keepBytes, listIds, makeFolder, providerUrl } from '../../helpers/blobs/blobs.ts';
import { memoryFiles, memoryRemovals, recordOf } from '../../helpers/blobs/memory-files.ts';
import { startS3Server } from '../../helpers/blobs/s3-server.ts';

const names = ['320x320-1.webp', '320x320-1.avif', '1600-1.webp'];
/** All blobs of this test are old for this clock. */
const later = { now: () => Date.now() + graceSeconds * 1000 + 60_000 };

const storages: Readonly<Record<string, (context: TestContext, folder: string) => Promise<BlobStore>>> = {
  disk: async (_context, folder) => createDiskBlobs(folder),
  S3: async (context, folder) => {
    const server = await startS3Server();
    context.after(() => server.stop());
    return createS3Blobs(providerUrl(server.url()), folder);
  },
};

for (const [kind, open] of Object.entries(storages)) {
  describe(`variants on ${kind}`, () => {
    const [folder, targetFolder] = [makeFolder(), makeFolder()];
    const keep = async (blobs: BlobStore, id: FileId) => {
      for (const name of names) await blobs.keepVariant(id, name, Buffer.from(name));
    };
    const kept = async (blobs: BlobStore, id: FileId) => {
      const found = await Promise.all(names.map((name) => blobs.readVariant(id, name)));
      return found.filter((bytes) => bytes !== undefined).length;
    };

    it('a check counts files and not their variants; a repair removes variants whose file is gone, and no others', async (context) => {
      const blobs = await open(context, folder);
      const [whole, orphan, stray] = [newFileId(), newFileId(), newFileId()];
      for (const id of [whole, orphan]) await keepBytes(blobs, Buffer.from('picture'), id);
      for (const id of [whole, orphan, stray]) await keep(blobs, id);
      const deps = { blobs, files: memoryFiles([recordOf(whole, 'picture')]), clock: later };
      const { records, missing, adrift } = await checkFiles(deps);
      assert.deepEqual([records, missing, adrift], [1, [], [orphan, stray].toSorted()]);
      const young = await checkFiles({ ...deps, clock: { now: Date.now } });
      assert.deepEqual([young.young, young.adrift], [2, []]);
      assert.equal(await removeAllAdrift(deps, () => undefined), 2);
      assert.deepEqual(await Promise.all([whole, orphan, stray].map((id) => kept(blobs, id))), [3, 0, 0]);
      assert.deepEqual(await listIds(blobs), [whole]);
      await blobs.remove(whole);
    });

    it('a move leaves variants out, and removes them from the source with their blob', async (context) => {
      const [source, target] = [await open(context, folder), createDiskBlobs(targetFolder)];
      const id = await keepBytes(source, Buffer.from('picture'));
      await keep(source, id);
      const files = memoryFiles([recordOf(id, 'picture')]);
      const options = { deletesSource: true, progress: () => undefined, tell: () => undefined };
      const { copied, removed, missing } = await moveBlobs({ source, target, files, clock: later }, options);
      assert.deepEqual([copied, removed, missing], [1, 1, []]);
      assert.deepEqual([await kept(source, id), await kept(target, id)], [0, 0]);
      assert.deepEqual([await listIds(source), await listIds(target)], [[], [id]]);
    });

    it('variants that a failing storage cannot remove stay in the list with their blob, until it is removed', async (context) => {
      const blobs = await open(context, folder);
      const id = await keepBytes(blobs, Buffer.from('picture'));
      await keep(blobs, id);
      const failing = { ...blobs, remove: () => Promise.reject(new Error('away')) };
      const { removals, noted } = memoryRemovals();
      await removeBytes({ blobs: failing, clock: later, removals }, [id]);
      assert.deepEqual([noted, await listIds(blobs)], [[], [id]]);
      assert.deepEqual(await removeBytes({ blobs, clock: later, removals }, [id]), []);
      assert.deepEqual([await kept(blobs, id), await listIds(blobs)], [0, []]);
    });
  });
}
