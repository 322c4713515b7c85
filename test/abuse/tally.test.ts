// Limits of a whole network: hits are counted in spans, the error is at most one span, and never in favour of the caller.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { LimitRule } from '../../src/abuse/limits.ts';
import { addToTally, findTallyBlock, readTally, type Tally } from '../../src/abuse/tally.ts';
import { rounds, seed } from '../helpers/faults/rounds.ts';
import { hour, minute, noon } from '../helpers/store/fixtures.ts';

const hourly: LimitRule = { count: 3, windowSeconds: 3600 };
const daily: LimitRule = { count: 4, windowSeconds: 86_400 };
/** An hour has twelve spans of five minutes, a day twelve of two hours. */
const span = 5 * minute;
const at = noon / span;
const dayAt = noon / (2 * hour);

describe('the limit of a network', () => {
  const cases: [what: string, Tally, readonly LimitRule[], now: number, expected: [LimitRule, number] | undefined][] = [
    ['allows a hit of a network that is not known', {}, [hourly], noon, undefined],
    ['without rules allows any hit', { 3600: [[at, 99]] }, [], noon, undefined],
    ['without a count blocks nothing', {}, [{ ...hourly, count: 0 }], noon, undefined],
    ['allows a hit below its count', { 3600: [[at, 2]] }, [hourly], noon, undefined],
    [
      'refuses a hit beyond its count until the whole span has left',
      { 3600: [[at, 3]] },
      [hourly],
      noon,
      [hourly, 3900],
    ],
    [
      'counts the hits of all spans',
      {
        3600: [
          [at - 2, 1],
          [at - 1, 1],
          [at, 1],
        ],
      },
      [hourly],
      noon,
      [hourly, 3300],
    ],
    [
      'waits for the span that frees enough',
      {
        3600: [
          [at - 2, 1],
          [at - 1, 2],
          [at, 2],
        ],
      },
      [hourly],
      noon,
      [hourly, 3600],
    ],
    [
      'waits for one more span where the first leaves it full',
      {
        3600: [
          [at - 2, 1],
          [at - 1, 3],
        ],
      },
      [hourly],
      noon,
      [hourly, 3600],
    ],
    [
      'waits for the oldest span in whatever order they were kept',
      {
        3600: [
          [at, 1],
          [at - 12, 2],
        ],
      },
      [hourly],
      noon,
      [hourly, 300],
    ],
    [
      'counts a span as long as one of its hits may be in the window',
      { 3600: [[at - 12, 3]] },
      [hourly],
      noon,
      [hourly, 300],
    ],
    ['rounds a wait up to a full second', { 3600: [[at - 12, 3]] }, [hourly], noon + span - 1, [hourly, 1]],
    ['does not count a span after that', { 3600: [[at - 12, 3]] }, [hourly], noon + span, undefined],
    ['counts a span in the future as now', { 3600: [[at + 99, 3]] }, [hourly], noon, [hourly, 3900]],
    ['reads only the spans of its own window', { 60: [[at, 9]] }, [hourly], noon, undefined],
    [
      'names the rule that blocks for longest',
      { 3600: [[at, 3]], 86400: [[dayAt, 4]] },
      [hourly, daily],
      noon,
      [daily, 93_600],
    ],
    [
      'names that rule in whatever order they are',
      { 3600: [[at, 3]], 86400: [[dayAt, 4]] },
      [daily, hourly],
      noon,
      [daily, 93_600],
    ],
    ['names only a rule that blocks', { 3600: [[at, 3]], 86400: [[dayAt, 3]] }, [daily, hourly], noon, [hourly, 3900]],
    [
      'names the first of two rules that block equally long',
      { 3600: [[at, 3]] },
      [hourly, { ...hourly, count: 2 }],
      noon,
      [hourly, 3900],
    ],
  ];
  for (const [what, tally, rules, now, expected] of cases) {
    it(`the limit of a network ${what}`, () => {
      const block = expected && { rule: expected[0], retryAfterSeconds: expected[1] };
      assert.deepEqual(findTallyBlock(tally, rules, now), block);
    });
  }

  it('the limit of a network is never exceeded in any window, and refuses nothing that a window and one span would allow', () => {
    const rule = { count: 8, windowSeconds: 3600 };
    const steps = fc.array(fc.integer({ min: 0, max: 900_000 }), { maxLength: 50 });
    fc.assert(
      fc.property(steps, (pauses) => {
        let now = noon;
        let tally: Tally = {};
        const hits: number[] = [];
        for (const pause of pauses) {
          now += pause;
          const within = (milliseconds: number) => hits.filter((hit) => hit > now - milliseconds).length;
          const block = findTallyBlock(tally, [rule], now);
          if (block === undefined) {
            assert.ok(within(hour) < 8);
            hits.push(now);
            tally = addToTally(tally, [rule], now);
            continue;
          }
          assert.ok(within(hour + span) >= 8);
          assert.equal(findTallyBlock(tally, [rule], now + block.retryAfterSeconds * 1000), undefined);
          assert.notEqual(findTallyBlock(tally, [rule], now + block.retryAfterSeconds * 1000 - 1000), undefined);
        }
        assert.ok((tally[3600]?.length ?? 0) <= 13, 'its size is bounded');
      }),
      { numRuns: rounds(100), seed },
    );
  });
});

describe('a hit of a network', () => {
  const cases: [what: string, Tally, readonly LimitRule[], expected: Tally][] = [
    ['opens a span in each window', {}, [hourly, daily], { 3600: [[at, 1]], 86400: [[dayAt, 1]] }],
    ['counts in the span that is open', { 3600: [[at, 4]] }, [hourly], { 3600: [[at, 5]] }],
    [
      'leaves the spans before as they are',
      { 3600: [[at - 1, 4]] },
      [hourly],
      {
        3600: [
          [at - 1, 4],
          [at, 1],
        ],
      },
    ],
    [
      'drops a span that has left the window',
      {
        3600: [
          [at - 13, 4],
          [at - 12, 2],
        ],
      },
      [hourly],
      {
        3600: [
          [at - 12, 2],
          [at, 1],
        ],
      },
    ],
    ['brings a span from the future back to now', { 3600: [[at + 5, 4]] }, [hourly], { 3600: [[at, 5]] }],
    ['drops a window that no rule has any more', { 60: [[at, 4]] }, [hourly], { 3600: [[at, 1]] }],
    ['without rules keeps nothing', { 60: [[at, 4]] }, [], {}],
  ];
  for (const [what, tally, rules, expected] of cases) {
    it(`a hit of a network ${what}`, () => assert.deepEqual(addToTally(tally, rules, noon + 1), expected));
  }
});

describe('the sum of a network', () => {
  const cases: [what: string, Tally, hits: number, lastAt: number | undefined][] = [
    ['is nothing where nothing is kept', {}, 0, undefined],
    ['is nothing where all has left', { 3600: [[at - 13, 2]] }, 0, undefined],
    [
      'is that of the longest window',
      {
        3600: [[at, 2]],
        86400: [
          [dayAt - 1, 5],
          [dayAt, 2],
        ],
      },
      7,
      noon,
    ],
    [
      'names the start of the latest span of any window',
      { 86400: [[dayAt - 1, 5]], 3600: [[at - 1, 2]] },
      5,
      noon - span,
    ],
    ['compares windows by length, not as text', { 60: [], 3600: [[at - 2, 3]], 400: [] }, 3, noon - 2 * span],
  ];
  for (const [what, tally, hits, lastAt] of cases) {
    it(`the sum of a network ${what}`, () => assert.deepEqual(readTally(tally, noon), { hits, lastAt }));
  }
});
