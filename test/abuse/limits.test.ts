// Exact limits: what blocks a hit, for how long, and what is remembered of earlier ones.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { addHit, findBlock, type Hits, type LimitRule, longestWindow } from '../../src/abuse/limits.ts';
import { rounds, seed } from '../helpers/faults/rounds.ts';
import { noon } from '../helpers/store/fixtures.ts';

const minutely: LimitRule = { count: 2, windowSeconds: 60 };
const hourly: LimitRule = { count: 3, windowSeconds: 3600 };
const runs = { numRuns: rounds(200), seed };

const rule = fc.record({ count: fc.integer({ min: 1, max: 6 }), windowSeconds: fc.integer({ min: 1, max: 90 }) });
const rules = fc.array(rule, { minLength: 1, maxLength: 3 });
const pauses = fc.array(fc.integer({ min: 0, max: 40_000 }), { maxLength: 60 });

describe('a limit', () => {
  const cases: [
    what: string,
    Hits,
    readonly LimitRule[],
    expected: readonly [LimitRule, seconds: number] | undefined,
  ][] = [
    ['allows the first hit', [], [minutely], undefined],
    ['without rules allows any hit', [noon, noon, noon], [], undefined],
    ['allows a hit below its count', [noon], [minutely], undefined],
    ['refuses a hit beyond its count', [noon, noon], [minutely], [minutely, 60]],
    ['waits for the oldest hit that still fills it', [noon - 50_000, noon - 20_000], [minutely], [minutely, 10]],
    [
      'waits for as many hits to leave as are too many',
      [noon - 50_000, noon - 20_000, noon - 5000],
      [minutely],
      [minutely, 40],
    ],
    ['rounds a wait up to a full second', [noon - 59_001, noon - 1], [minutely], [minutely, 1]],
    ['still counts a hit in the last millisecond of its window', [noon - 59_999, noon], [minutely], [minutely, 1]],
    ['no longer counts a hit at the end of its window', [noon - 60_000, noon], [minutely], undefined],
    ['waits for a whole window after a hit in the future', [noon + 90_000, noon + 90_000], [minutely], [minutely, 60]],
    ['names the rule that blocks for longest', [noon - 2, noon - 1, noon], [minutely, hourly], [hourly, 3600]],
    ['names that rule in whatever order they are', [noon - 2, noon - 1, noon], [hourly, minutely], [hourly, 3600]],
    ['names only a rule that blocks', [noon - 1, noon], [hourly, minutely], [minutely, 60]],
    [
      'names the first of two rules that block equally long',
      [noon],
      [
        { count: 1, windowSeconds: 60 },
        { count: 1, windowSeconds: 59.5 },
      ],
      [{ count: 1, windowSeconds: 60 }, 60],
    ],
  ];
  for (const [what, hits, given, expected] of cases) {
    it(`a limit ${what}`, () => {
      const block = expected && { rule: expected[0], retryAfterSeconds: expected[1] };
      assert.deepEqual(findBlock(hits, given, noon), block);
    });
  }

  it('a limit never lets more hits through than its count in any window, and blocks exactly as long as it says', () => {
    fc.assert(
      fc.property(rules, pauses, (given, steps) => {
        const passed: number[] = [];
        let kept: readonly number[] = [];
        let now = noon;
        for (const pause of steps) {
          now += pause;
          const block = findBlock(kept, given, now);
          assert.deepEqual(block, findBlock(passed, given, now), 'what it forgets does not matter');
          const isFull = given.some(
            ({ count, windowSeconds }) => passed.filter((hit) => hit > now - windowSeconds * 1000).length >= count,
          );
          assert.equal(block !== undefined, isFull);
          if (block === undefined) {
            passed.push(now);
            kept = addHit(kept, given, now);
            continue;
          }
          const wait = block.retryAfterSeconds * 1000;
          assert.equal(findBlock(kept, given, now + wait), undefined, 'it lasts no longer');
          assert.notEqual(findBlock(kept, given, now + wait - 1000), undefined, 'nor a second less');
        }
        assert.ok(kept.length <= Math.max(...given.map(({ count }) => count)), 'it remembers no more than it needs');
      }),
      runs,
    );
  });
});

describe('a counted hit', () => {
  const cases: [what: string, Hits, readonly LimitRule[], expected: Hits][] = [
    ['is the newest', [noon - 1], [minutely], [noon - 1, noon]],
    ['replaces the oldest once there are enough', [noon - 2, noon - 1], [minutely], [noon - 1, noon]],
    [
      'is remembered with as many as the largest rule needs',
      [1, 2, 3, 4].map((ms) => noon - 5 + ms),
      [minutely, hourly],
      [noon - 2, noon - 1, noon],
    ],
    ['drops a hit that has left the longest window', [noon - 3_600_000], [minutely, hourly], [noon]],
    ['keeps a hit that has not', [noon - 3_599_999], [minutely, hourly], [noon - 3_599_999, noon]],
  ];
  for (const [what, hits, given, expected] of cases) {
    it(`a counted hit ${what}`, () => assert.deepEqual(addHit(hits, given, noon), expected));
  }

  it('a counted hit changes nothing in the list that was read', () => {
    const hits = Object.freeze([noon - 1]);
    assert.deepEqual(addHit(hits, [minutely], noon), [noon - 1, noon]);
  });
});

describe('the longest window', () => {
  for (const [given, expected] of [
    [[], 0],
    [[minutely], 60],
    [[minutely, hourly], 3600],
    [[hourly, minutely], 3600],
  ] as const) {
    it(`the longest window of ${given.length} rules is ${expected} s`, () =>
      assert.equal(longestWindow(given), expected));
  }
});
