// Emptying the queue of bytes that must go: files and uploads, one failure keeps no other from its removal, an outage is not waited for.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { newUploadId } from '../../../src/files/resumable/resumable-upload.ts';
import { type EmptiedQueue, emptyRemovals } from '../../../src/files/sweeps/empty-removals.ts';
import type { RemovalId } from '../../../src/files/sweeps/removal-queue.ts';
import {
  clock,
  fileId,
  memoryBlobs,
  memoryLog,
  memoryRemovals,
  unavailable,
} from '../../helpers/blobs/memory-files.ts';
import { withoutRests } from '../../helpers/without-rests.ts';

function stage(due: readonly RemovalId[], broken: (id: string) => boolean = () => false) {
  const tried: string[] = [];
  const remove = async (id: string) => {
    tried.push(id);
    if (broken(id)) throw unavailable();
  };
  const { removals, noted } = memoryRemovals(due);
  const { log, lines } = memoryLog();
  const blobs = memoryBlobs({}, { remove });
  return {
    deps: { blobs: { ...blobs, parts: { ...blobs.parts, remove } }, removals, clock, log },
    tried,
    noted,
    lines,
  };
}

/** What each batch tells, and the failure at the end. */
async function empty({ deps }: ReturnType<typeof stage>, stop?: AbortSignal) {
  const batches: EmptiedQueue[] = [];
  await emptyRemovals(deps, withoutRests(stop), (emptied) => batches.push(emptied));
  return batches;
}

const filesOf = (count: number) => Array.from({ length: count }, (_, at) => fileId(at));

describe('the worker that removes bytes', () => {
  it('removes files and uploads, tells the queue, and logs each one', async () => {
    const due = [fileId(1), newUploadId(), fileId(2)];
    const staged = stage(due);
    const { tried, noted, lines } = staged;
    assert.deepEqual(await empty(staged), [{ files: 2, uploads: 1 }]);
    assert.deepEqual([tried, noted], [due, [['end', due]]]);
    assert.deepEqual(
      lines,
      due.map((id) => ['info', 'removing the bytes of what was deleted or never became a file', { id }]),
    );
  });

  it('asks for nothing while nothing is due', async () => {
    const staged = stage([]);
    const { deps, noted } = staged;
    const take = () => Promise.reject(new Error('asked'));
    assert.deepEqual(await empty({ ...staged, deps: { ...deps, removals: { ...deps.removals, take } } }), []);
    assert.deepEqual(noted, []);
  });

  it('one that cannot be removed keeps no other from its removal', async () => {
    const due = filesOf(20);
    const staged = stage(due, (id) => id === fileId(3));
    const { noted } = staged;
    await assert.rejects(empty(staged), { code: 'STORAGE_UNAVAILABLE' });
    assert.deepEqual(noted[0]?.[1].toSorted(), due.filter((id) => id !== fileId(3)).toSorted());
  });

  it('a storage that is away is asked a few times only', async () => {
    const staged = stage(filesOf(100), () => true);
    const { tried, noted } = staged;
    await assert.rejects(empty(staged), { code: 'STORAGE_UNAVAILABLE' });
    assert.ok(tried.length <= 8, `${tried.length} tries`);
    assert.deepEqual(noted, []);
  });

  it('a round goes on until nothing is due, and tells each batch', async () => {
    const batches = await empty(stage(filesOf(5000)));
    assert.equal(
      batches.reduce((sum, { files }) => sum + files, 0),
      5000,
    );
    assert.equal(batches[0]?.files, 50);
    assert.ok(batches.length > 5, `${batches.length} batches`);
  });

  it('a round ends with the batch during which the service stops', async () => {
    const stopping = new AbortController();
    const staged = stage(filesOf(5000));
    const { removals } = staged.deps;
    const take: typeof removals.take = (input) => {
      stopping.abort();
      return removals.take(input);
    };
    const deps = { ...staged.deps, removals: { ...removals, take } };
    assert.deepEqual(await empty({ ...staged, deps }, stopping.signal), [{ files: 50, uploads: 0 }]);
  });
});
