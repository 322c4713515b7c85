// Removing the bytes of deleted files and uploads: what fails stays in the queue, and nothing is ever thrown.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { newUploadId } from '../../../src/files/resumable/resumable-upload.ts';
import { removeBytes } from '../../../src/files/sweeps/remove-bytes.ts';
import { clock, fileId, memoryBlobs, memoryRemovals, noon, unavailable } from '../../helpers/blobs/memory-files.ts';

function stage(broken: string | undefined) {
  const tried: string[] = [];
  const remove = async (id: string) => {
    tried.push(id);
    if (id === broken) throw unavailable();
  };
  const { removals, noted } = memoryRemovals();
  const blobs = memoryBlobs({}, { remove });
  return { deps: { blobs: { ...blobs, parts: { ...blobs.parts, remove } }, clock, removals }, tried, noted };
}

const [a, b, c] = [fileId(1), fileId(2), fileId(3)];

describe('removing the bytes of what was deleted', () => {
  const upload = newUploadId();
  for (const [name, broken, tried, left] of [
    ['all are removed, in order', undefined, [a, upload, c], []],
    ['none is tried after the first failure, and all stay queued', a, [a], [a, upload, c]],
    ['the one that failed and those after it stay queued', upload, [a, upload], [upload, c]],
    ['a failure of the last one leaves it alone', c, [a, upload, c], [c]],
  ] as const) {
    it(name, async () => {
      const { deps, ...seen } = stage(broken);
      assert.deepEqual(await removeBytes(deps, [a, upload, c], noon), left);
      const removed = [a, upload, c].slice(0, 3 - left.length);
      assert.deepEqual(seen, { tried, noted: removed.length === 0 ? [] : [['end', removed]] });
    });
  }

  it('what takes longer than the caller has the bytes for itself is left to workers', async () => {
    const { deps, ...seen } = stage(undefined);
    let now = noon - 7000;
    const slow = { ...deps, clock: { now: () => (now += 7000) } };
    assert.deepEqual(await removeBytes(slow, [a, b, c, upload], noon), [upload]);
    assert.deepEqual(seen, { tried: [a, b, c], noted: [['end', [a, b, c]]] });
  });

  it('bytes of a file in the making are removed without a word to the queue, which has it noted', async () => {
    const { deps, ...seen } = stage(b);
    assert.deepEqual(await removeBytes(deps, [a, b]), [b]);
    assert.deepEqual(seen, { tried: [a, b], noted: [] });
  });

  it('no ids need neither storage nor database', async () => {
    const { deps, ...seen } = stage(a);
    assert.deepEqual(await removeBytes(deps, []), []);
    assert.deepEqual(seen, { tried: [], noted: [] });
  });

  it('nothing is thrown if the queue does not learn of it', async () => {
    const away = () => Promise.reject(new Error('no database'));
    const { deps } = stage(a);
    const removals = { ...deps.removals, add: away, end: away };
    assert.deepEqual(await removeBytes({ ...deps, removals }, [b, a], noon), [a]);
  });
});
