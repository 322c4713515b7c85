// The rules of the queue of bytes that must go: who has them, how often they are looked for, and how long a failed attempt waits.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { newUploadId } from '../../../src/files/resumable/resumable-upload.ts';
import {
  endRemoval,
  heldUntil,
  queueFileRemoval,
  queuePending,
  queueRemoval,
  takeRemoval,
} from '../../../src/files/sweeps/removal-queue.ts';
import { fileId, noon } from '../../helpers/blobs/memory-files.ts';

describe('bytes that must go', () => {
  const upload = newUploadId();
  for (const [what, queued, id, looks] of [
    ['a deleted file', queueFileRemoval({ id: fileId(1), type: 'text/plain' }, undefined), fileId(1), 1],
    ['a deleted picture', queueFileRemoval({ id: fileId(1), type: 'image/png' }, undefined), fileId(1), 2],
    ['a file that was never recorded', queueRemoval(fileId(1), undefined, true), fileId(1), 2],
    ['an upload in several requests', queueRemoval(upload, undefined), upload, 2],
  ] as const) {
    it(`${what}: due at once, and removed ${looks === 1 ? 'once' : 'twice, an hour apart'}`, () => {
      assert.deepEqual(queued, { id, dueAt: 0, tries: 0, looks });
      const taken = takeRemoval(queued, noon);
      const after = endRemoval(taken, { heldSince: noon, now: noon + 5 });
      if (looks === 1) return assert.equal(after, undefined);
      assert.deepEqual(after, { id, dueAt: noon + 5 + 3_600_000, tries: 0, looks: 1 });
      const again = after && takeRemoval(after, noon + 9_000_000);
      assert.equal(again && endRemoval(again, { heldSince: noon + 9_000_000, now: noon + 9_000_001 }), undefined);
    });
  }

  for (const [what, age, dueAt] of [
    ['at once', 0, noon],
    ['at once, up to an hour after it,', 3_600_000, noon - 3_600_000],
    ['a day later if nobody looked for an hour', 3_600_001, noon + 86_400_000],
    ['a day later if nobody looked for a month', 30 * 86_400_000, noon + 86_400_000],
  ] as const) {
    it(`a file in the making whose time is over is due ${what}, and removed twice`, () => {
      assert.deepEqual(queuePending(fileId(1), noon - age, noon), { id: fileId(1), dueAt, tries: 0, looks: 2 });
    });
  }

  it('an attempt that did not succeed is repeated after a pause that grows up to five minutes', () => {
    const pauses: number[] = [];
    let removal = queueRemoval(fileId(1), undefined);
    for (let attempt = 0; attempt < 7; attempt++) {
      removal = takeRemoval(removal, noon);
      pauses.push((removal.dueAt - noon) / 1000);
      assert.equal(endRemoval(removal, { heldSince: noon, now: noon }), undefined);
      assert.equal(endRemoval(removal, { heldSince: noon - 1, now: noon }), removal);
    }
    assert.deepEqual(pauses, [15, 30, 60, 120, 240, 300, 300]);
    assert.equal(takeRemoval({ ...removal, tries: 5000 }, noon).dueAt, noon + 300_000);
  });

  it('whoever deletes has them for 15 seconds, and its word counts only until another one has taken them', () => {
    const queued = queueRemoval(upload, noon);
    assert.deepEqual([queued.dueAt, heldUntil(noon)], [noon + 15_000, noon + 15_000]);
    const round = { heldSince: noon, now: noon + 20_000 };
    assert.equal(endRemoval(queued, round)?.looks, 1);
    const taken = takeRemoval(queued, noon + 15_000);
    assert.equal(endRemoval(taken, round), taken);
    const ended = endRemoval(taken, { heldSince: noon + 15_000, now: noon + 16_000 });
    assert.equal(ended?.looks, 1);
    assert.equal(ended && endRemoval(ended, round), ended);
  });
});
