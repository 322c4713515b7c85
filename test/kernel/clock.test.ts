// Which numbers are times.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isTime } from '../../src/kernel/clock.ts';

const end = Date.UTC(10_000, 0, 1);

describe('a time', () => {
  for (const [value, expected] of [
    [0, true],
    [Date.UTC(2031, 4, 5), true],
    [end - 1, true],
    [end, false],
    [-1, false],
    [0.5, false],
    [1e300, false],
    [Number.NaN, false],
    [Number.POSITIVE_INFINITY, false],
    ['5', false],
    [null, false],
    [undefined, false],
  ] as const) {
    it(`${typeof value} ${value} is ${expected ? 'one' : 'none'}`, () => assert.equal(isTime(value), expected));
  }
});
