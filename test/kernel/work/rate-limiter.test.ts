// A limiter of events: how many pass in each period, when a period starts, and a clock that is set back.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createRateLimiter } from '../../../src/kernel/work/rate-limiter.ts';
import { seed } from '../../helpers/faults/rounds.ts';

describe('a rate limiter', () => {
  it('as many events as allowed pass in a period, and no more', () => {
    const pass = createRateLimiter(3, 1000);
    assert.deepEqual(
      [0, 1, 999, 999, 999].map((now) => pass(now)),
      [true, true, true, false, false],
    );
  });

  it('a period starts with its first event and ends exactly after its length', () => {
    const pass = createRateLimiter(1, 1000);
    assert.deepEqual(
      [500, 1499, 1500, 2499, 2500].map((now) => pass(now)),
      [true, false, true, false, true],
    );
  });

  it('refused events do not extend the period', () => {
    const pass = createRateLimiter(1, 10);
    assert.deepEqual(
      [0, 5, 9, 10].map((now) => pass(now)),
      [true, false, false, true],
    );
  });

  it('a clock that is set back starts a new period instead of refusing for long', () => {
    const pass = createRateLimiter(1, 1000);
    assert.deepEqual(
      [1_000_000, 5, 6].map((now) => pass(now)),
      [true, true, false],
    );
  });

  it('a limit of none lets nothing pass', () => {
    assert.equal(createRateLimiter(0, 1000)(5), false);
  });

  it('between two starts of a period, never more than the limit pass', () => {
    const property = fc.property(
      fc.integer({ min: 1, max: 5 }),
      fc.integer({ min: 1, max: 50 }),
      fc.array(fc.nat(30), { maxLength: 60 }),
      (most, length, steps) => {
        const pass = createRateLimiter(most, length);
        let now = 0;
        const passed: number[] = [];
        for (const step of steps) {
          now += step;
          if (pass(now)) passed.push(now);
        }
        // Two periods may touch, so any stretch shorter than one period sees at most two limits.
        for (const from of passed)
          assert.ok(passed.filter((at) => at >= from && at < from + length).length <= 2 * most - 1);
      },
    );
    fc.assert(property, { seed, numRuns: 200 });
  });
});
