// Late repeats: which rotations count, how often, and what is remembered of them.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  countLateRepeat,
  type LateRepeat,
  readLateRepeats,
  writeLateRepeats,
} from '../../../src/auth/sessions/late-repeat.ts';

const now = Date.UTC(2031, 4, 5, 12);
const hour = 3_600_000;
/** Rotations that were repeated so many hours ago, two hours after each. */
const past = (...hours: number[]) =>
  hours.map((ago) => ({ rotatedAt: now - (ago + 2) * hour, repeatedAt: now - ago * hour }));
const rotatedAt = now - hour;
const one = { rotatedAt, repeatedAt: now };

describe('a late repeat', () => {
  const cases: [what: string, known: LateRepeat[], expected: LateRepeat[] | undefined][] = [
    ['of the first rotation is remembered', [], [one]],
    ['of the third rotation in a day is remembered', past(9, 5), [...past(9, 5), one]],
    ['of the fourth rotation in a day is one too many', past(9, 5, 1), undefined],
    ['of the fourth rotation, 24 hours after the first, forgets the first', past(24, 5, 3), [...past(5, 3), one]],
    ['of the fourth rotation, just before that', past(23.999, 5, 3), undefined],
    ['of a rotation that counts already changes nothing', [...past(9, 5), one], [...past(9, 5), one]],
    [
      'of a rotation that counted days ago changes nothing',
      [{ rotatedAt, repeatedAt: 1 }],
      [{ rotatedAt, repeatedAt: 1 }],
    ],
    ['counts rotations of a node whose clock is ahead', past(9, 5, -0.001), undefined],
  ];
  for (const [what, known, expected] of cases) {
    it(`a late repeat ${what}`, () => {
      assert.deepEqual(countLateRepeat(known, { rotatedAt, now }), expected);
    });
  }

  it('late repeats are written as text and read back', () => {
    for (const repeats of [[], past(3), past(9, 5, 1)])
      assert.deepEqual(readLateRepeats(writeLateRepeats(repeats)), repeats);
    assert.equal(writeLateRepeats([]), null);
    assert.equal(writeLateRepeats([one, one]), `${rotatedAt}:${now} ${rotatedAt}:${now}`);
  });
});
