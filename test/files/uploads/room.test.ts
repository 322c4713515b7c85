// Room for an upload: the fewest of the oldest files in the trash make way, and none if they cannot make enough.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { fitsQuota } from '../../../src/files/quota.ts';
import { displacedEvent, findRoom, firstOf } from '../../../src/files/uploads/room.ts';
import { noon } from '../../helpers/blobs/memory-files.ts';
import { asFileId, asUserId } from '../../helpers/people/ids.ts';

const quota = { bytes: 100, files: 5 };
const trash = [10, 30, 20].map((size, at) => ({ id: asFileId(`file ${at}`), userId: asUserId('ann'), size }));
const wish = { used: { bytes: 70, files: 4 }, reserved: [], bytes: 30, quota };

describe('room for an upload', () => {
  const cases: [
    what: string,
    Partial<typeof wish>,
    removed: number | undefined,
    left?: { bytes: number; files: number },
  ][] = [
    ['needs no trash while it fits', {}, 0, { bytes: 70, files: 4 }],
    ['takes the oldest file for one byte too many', { bytes: 31 }, 1, { bytes: 60, files: 3 }],
    ['takes no more than it needs', { bytes: 40 }, 1, { bytes: 60, files: 3 }],
    ['takes the next one for one byte more', { bytes: 41 }, 2, { bytes: 30, files: 2 }],
    ['takes all of it if it must', { bytes: 90 }, 3, { bytes: 10, files: 1 }],
    ['takes nothing if all of it is not enough', { bytes: 91 }, undefined],
    ['counts files like bytes', { used: { bytes: 70, files: 5 }, bytes: 1 }, 1, { bytes: 60, files: 4 }],
  ];
  for (const [what, changes, removed, left] of cases) {
    it(what, () => {
      const room = findRoom({ ...wish, ...changes }, trash);
      assert.deepEqual(room, removed === undefined ? undefined : { used: left, removed: trash.slice(0, removed) });
    });
  }

  it('is made in parts if not all files may go now', () => {
    const room = findRoom({ ...wish, bytes: 90 }, trash) ?? assert.fail('no room');
    assert.deepEqual(
      firstOf(room, () => true),
      room,
    );
    const some = firstOf(room, ({ id }) => id !== trash[1]?.id);
    assert.deepEqual(some, { used: { bytes: 60, files: 3 }, removed: trash.slice(0, 1) });
    assert.deepEqual(
      firstOf(room, () => false),
      { used: wish.used, removed: [] },
    );
  });

  it('counts what other uploads have reserved', () => {
    assert.deepEqual(findRoom({ ...wish, reserved: [{ bytes: 5 }], bytes: 30 }, trash)?.removed, trash.slice(0, 1));
    const many = Array.from({ length: 5 }, () => ({ bytes: 0 }));
    assert.equal(findRoom({ ...wish, reserved: many }, trash), undefined);
  });

  it('is never more than the quota, and one file less would not do', () => {
    const size = fc.nat(40);
    const given = fc.record({
      sizes: fc.array(size, { maxLength: 6 }),
      kept: size,
      bytes: size,
      reserved: fc.array(size, { maxLength: 2 }),
    });
    fc.assert(
      fc.property(given, ({ sizes, kept, bytes, reserved }) => {
        const bin = sizes.map((each, at) => ({ id: asFileId(`${at}`), userId: asUserId('ann'), size: each }));
        const used = { bytes: kept + sizes.reduce((sum, each) => sum + each, 0), files: 1 + sizes.length };
        const others = reserved.map((each) => ({ bytes: each }));
        const room = findRoom({ used, reserved: others, bytes, quota }, bin);
        const without = (count: number) => ({
          bytes: kept + sizes.slice(count).reduce((sum, each) => sum + each, 0),
          files: 1 + sizes.length - count,
        });
        const fits = (count: number) => fitsQuota(without(count), others, bytes, quota);
        if (room === undefined) return assert.ok(!fits(sizes.length));
        assert.ok(fits(room.removed.length));
        assert.ok(room.removed.length === 0 || !fits(room.removed.length - 1));
      }),
    );
  });

  it('tells apps that the file is gone for good, and why', () => {
    const event = displacedEvent({ id: asFileId('fil'), userId: asUserId('ann'), size: 1 }, noon);
    assert.deepEqual(event, {
      kind: 'file.deleted',
      userId: 'ann',
      detail: { file: 'fil', reason: 'room' },
      now: noon,
    });
  });
});
