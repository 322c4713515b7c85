// Emptying the queue of bytes that must go: files and uploads, one failure keeps no other from its removal, an outage is not waited for.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { emptyRemovals } from '../../src/files/empty-removals.ts';
import { newUploadId } from '../../src/files/resumable-upload.ts';
import { clock, fileId, memoryBlobs, memoryLog, memoryRemovals, unavailable } from '../helpers/memory-files.ts';

function stage(due: readonly string[], broken: (id: string) => boolean = () => false) {
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

const filesOf = (count: number) => Array.from({ length: count }, (_, at) => fileId(at));

describe('the worker that removes bytes', () => {
  it('removes files and uploads, tells the queue, and logs each one', async () => {
    const due = [fileId(1), newUploadId(), fileId(2)];
    const { deps, tried, noted, lines } = stage(due);
    assert.deepEqual(await emptyRemovals(deps), { files: 2, uploads: 1 });
    assert.deepEqual([tried, noted], [due, [['end', due]]]);
    assert.deepEqual(
      lines,
      due.map((id) => ['info', 'removing the bytes of what was deleted or never became a file', { id }]),
    );
  });

  it('asks for nothing while nothing is due', async () => {
    const { deps, noted } = stage([]);
    const take = () => Promise.reject(new Error('asked'));
    assert.deepEqual(await emptyRemovals({ ...deps, removals: { ...deps.removals, take } }), { files: 0, uploads: 0 });
    assert.deepEqual(noted, []);
  });

  it('one that cannot be removed keeps no other from its removal', async () => {
    const due = filesOf(20);
    const { deps, noted } = stage(due, (id) => id === fileId(3));
    await assert.rejects(emptyRemovals(deps), { code: 'STORAGE_UNAVAILABLE' });
    assert.deepEqual(noted[0]?.[1].toSorted(), due.filter((id) => id !== fileId(3)).toSorted());
  });

  it('a storage that is away is asked a few times only', async () => {
    const { deps, tried, noted } = stage(filesOf(100), () => true);
    await assert.rejects(emptyRemovals(deps), { code: 'STORAGE_UNAVAILABLE' });
    assert.ok(tried.length <= 8, `${tried.length} tries`);
    assert.deepEqual(noted, []);
  });

  it('a round is short, however much is due', async () => {
    const { deps } = stage(filesOf(900));
    assert.deepEqual(await emptyRemovals(deps), { files: 500, uploads: 0 });
    assert.deepEqual(await emptyRemovals(deps), { files: 400, uploads: 0 });
  });
});
