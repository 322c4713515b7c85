// Durations, sizes, counts and counts per time.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { parseBytes, parseCount, parseCountsPerTime, parseDuration } from '../../src/config/units.ts';
import { seed } from '../helpers/faults/rounds.ts';

describe('a duration', () => {
  for (const [text, seconds] of [
    ['1000ms', 1],
    ['1500ms', 1.5],
    ['1s', 1],
    ['5m', 300],
    ['2h', 7200],
    ['1d', 86_400],
    [' 5m ', 300],
    ['3650d', 315_360_000],
    ['999ms', undefined],
    ['0s', undefined],
    ['3651d', undefined],
    ['5', undefined],
    ['m', undefined],
    ['', undefined],
    ['-1m', undefined],
    ['1.5m', undefined],
    ['5 m', undefined],
    ['5M', undefined],
    ['1w', undefined],
    ['1h30m', undefined],
    ['1234567890s', undefined],
  ] as const) {
    it(`“${text}” is ${seconds === undefined ? 'none' : `${seconds} s`}`, () =>
      assert.equal(parseDuration(text), seconds));
  }
});

describe('a size', () => {
  for (const [text, bytes] of [
    ['1', 1],
    ['1b', 1],
    ['1kB', 1000],
    ['1KB', 1000],
    ['1KiB', 1024],
    ['2MiB', 2 ** 21],
    ['1.5GiB', 1.5 * 2 ** 30],
    ['1gb', 1e9],
    ['1tb', 1e12],
    ['1TiB', 2 ** 40],
    ['10 MB', 1e7],
    [' 10MB ', 1e7],
    ['0.001kb', 1],
    ['1.0009kib', undefined],
    ['0', undefined],
    ['0.5', undefined],
    ['0MiB', undefined],
    ['-1', undefined],
    ['', undefined],
    ['MB', undefined],
    ['1pb', undefined],
    ['1 ki', undefined],
    ['1e3', undefined],
    ['1,5MB', undefined],
    ['9999999999999', undefined],
    ['999999999999TiB', undefined],
    ['1con', undefined],
  ] as const) {
    it(`“${text}” is ${bytes === undefined ? 'none' : `${bytes} bytes`}`, () => assert.equal(parseBytes(text), bytes));
  }

  it('a size is a whole number of bytes', () => {
    const property = fc.property(
      fc.nat(100_000),
      fc.nat(999),
      fc.constantFrom('b', 'kb', 'MiB', 'GB'),
      (whole, rest, unit) => {
        const bytes = parseBytes(`${whole}.${String(rest).padStart(3, '0')}${unit}`);
        assert.ok(bytes === undefined || (Number.isSafeInteger(bytes) && bytes > 0));
      },
    );
    fc.assert(property, { seed, numRuns: 100 });
  });
});

describe('a count', () => {
  for (const [text, count] of [
    ['1', 1],
    ['100', 100],
    [' 7 ', 7],
    ['007', 7],
    ['0', undefined],
    ['101', undefined],
    ['-1', undefined],
    ['1.5', undefined],
    ['1e1', undefined],
    ['0x1', undefined],
    ['', undefined],
    ['1234567890123', undefined],
  ] as const) {
    it(`“${text}” from 1 to 100 is ${count ?? 'none'}`, () => assert.equal(parseCount(text, 1, 100), count));
  }
});

describe('counts per time', () => {
  const rule = (count: number, windowSeconds: number) => ({ count, windowSeconds });
  for (const [text, rules] of [
    ['5/1h', [rule(5, 3600)]],
    ['5/1h,10/24h', [rule(5, 3600), rule(10, 86_400)]],
    [' 5/1h , 10/24h ', [rule(5, 3600), rule(10, 86_400)]],
    ['1000000/1s', [rule(1_000_000, 1)]],
    ['1000001/1s', undefined],
    ['0/1h', undefined],
    ['5', undefined],
    ['5/', undefined],
    ['/1h', undefined],
    ['5/1h,', undefined],
    ['5/1h/1h', undefined],
    ['5/1h;10/24h', undefined],
    ['', undefined],
  ] as [string, object[] | undefined][]) {
    it(`“${text}” are ${rules?.length ?? 'no'} rules`, () => assert.deepEqual(parseCountsPerTime(text), rules));
  }
});
