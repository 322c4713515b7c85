// The Range header: what is a range, which bytes it means, and that an answer never has more bytes than the file.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { chooseRanges } from '../../../src/http/transfer/byte-ranges.ts';
import { seed } from '../../helpers/faults/rounds.ts';

const etag = '"abc"';
const modified = new Date(Date.UTC(2031, 4, 5, 12));
const choose = (range: string | undefined, size = 20, ifRange?: string) =>
  chooseRanges(range, ifRange, size, etag, modified);

/** Ranges as `start-end`, in the order of the answer. */
const shown = (ranges: ReturnType<typeof choose>) =>
  typeof ranges === 'object' ? ranges.map(({ start, end }) => `${start}-${end}`).join(' ') : (ranges ?? 'whole');

describe('the Range header', () => {
  for (const [range, expected] of [
    [undefined, 'whole'],
    ['bytes=0-0', '0-0'],
    ['bytes=0-19', '0-19'],
    ['bytes=5-', '5-19'],
    ['bytes=19-', '19-19'],
    ['bytes=-4', '16-19'],
    ['bytes=-20', '0-19'],
    ['bytes=-9999', '0-19'],
    ['bytes=2-9999', '2-19'],
    ['BYTES=0-0', '0-0'],
    ['bytes= 0-0 , 5-6 ', '0-0 5-6'],
    ['bytes=0-1,2-3', '0-3'],
    ['bytes=2-3,0-1', '0-3'],
    ['bytes=0-1,3-4', '0-1 3-4'],
    ['bytes=3-4,0-1', '3-4 0-1'],
    ['bytes=0-5,3-9', '0-9'],
    ['bytes=0-9,3-5', '0-9'],
    ['bytes=3-5,0-9', '0-9'],
    ['bytes=0-1,10-11,4-5,2-9', '0-11'],
    ['bytes=15-16,0-1,10-11,2-3', '15-16 0-3 10-11'],
    ['bytes=0-0,99-', '0-0'],
    ['bytes=0-0,2-2,4-4,6-6,8-8,10-10,12-12,14-14', '0-0 2-2 4-4 6-6 8-8 10-10 12-12 14-14'],
    ['bytes=000000000000001-2', '1-2'],
    ['bytes=0-999999999999999', '0-19'],
    ['bytes=20-', 'unsatisfiable'],
    ['bytes=20-30', 'unsatisfiable'],
    ['bytes=-0', 'unsatisfiable'],
    ['bytes=-0,20-', 'unsatisfiable'],
    ['bytes=0-0,2-2,4-4,6-6,8-8,10-10,12-12,14-14,16-16', 'whole'],
    ['bytes=9-1', 'whole'],
    ['bytes=0-0,9-1', 'whole'],
    ['bytes=30-21', 'whole'],
    ['bytes=', 'whole'],
    ['bytes=-', 'whole'],
    ['bytes=,', 'whole'],
    ['bytes=0-0,', 'whole'],
    ['bytes=abc', 'whole'],
    ['bytes=1-2-3', 'whole'],
    ['bytes=1--2', 'whole'],
    ['bytes=--2', 'whole'],
    ['bytes=5', 'whole'],
    ['bytes=1 2-3', 'whole'],
    ['bytes=+1-2', 'whole'],
    ['bytes=0x1-2', 'whole'],
    ['bytes 0-0', 'whole'],
    ['xbytes=0-0', 'whole'],
    ['lines=1-2', 'whole'],
    ['', 'whole'],
    ['bytes=18446744073709551616-', 'whole'],
    ['bytes=0-1844674407370955', 'whole'],
    ['bytes=-1844674407370955', 'whole'],
    [`bytes=0-0${' '.repeat(497)}`, '0-0'],
    [`bytes=0-0${' '.repeat(498)}`, 'whole'],
  ] as const) {
    it(`the range ${JSON.stringify(range)?.slice(0, 60)} of 20 bytes is ${expected}`, () => {
      assert.equal(shown(choose(range)), expected);
    });
  }

  for (const [ifRange, expected] of [
    [undefined, '0-0'],
    ['"abc"', '0-0'],
    ['"other"', 'whole'],
    ['W/"abc"', 'whole'],
    ['"abc", "other"', 'whole'],
    ['', 'whole'],
    ['nonsense', 'whole'],
    [modified.toUTCString(), '0-0'],
    [new Date(modified.getTime() + 1000).toUTCString(), 'whole'],
    [new Date(modified.getTime() - 1000).toUTCString(), 'whole'],
  ] as const) {
    it(`a range with If-Range ${JSON.stringify(ifRange)} is ${expected}`, () => {
      assert.equal(shown(choose('bytes=0-0', 20, ifRange)), expected);
    });
  }

  it('without a range If-Range says nothing', () => assert.equal(choose(undefined, 20, etag), undefined));

  it('for any ranges the answer has exactly the wanted bytes, once, in separate ranges in the order in which they were asked', () => {
    const at = fc.nat(24);
    const one = fc.oneof(
      fc.tuple(at, at).map(([from, length]) => ({
        text: `${from}-${from + length}`,
        has: (byte: number) => byte >= from && byte <= from + length,
      })),
      at.map((from) => ({ text: `${from}-`, has: (byte: number) => byte >= from })),
      at.map((length) => ({ text: `-${length}`, has: (byte: number, size: number) => byte >= size - length })),
    );
    fc.assert(
      fc.property(fc.array(one, { minLength: 1, maxLength: 8 }), fc.integer({ min: 1, max: 20 }), (specs, size) => {
        const bytes = Array.from({ length: size }, (_, byte) => byte);
        const wanted = bytes.filter((byte) => specs.some((spec) => spec.has(byte, size)));
        const chosen = choose(`bytes=${specs.map(({ text }) => text).join(',')}`, size);
        if (wanted.length === 0) return assert.equal(chosen, 'unsatisfiable');
        assert.ok(typeof chosen === 'object');
        const given = chosen.map(({ start, end }) => bytes.slice(start, end + 1));
        assert.deepEqual(
          given.flat().toSorted((a, b) => a - b),
          wanted,
        );
        for (const { start, end } of chosen) {
          assert.ok(start <= end && end < size);
          assert.ok(!chosen.some((other) => other.start === end + 1), 'ranges that touch are one');
        }
        const firstAsked = given.map((range) => specs.findIndex((spec) => range.some((byte) => spec.has(byte, size))));
        assert.deepEqual(
          firstAsked,
          firstAsked.toSorted((a, b) => a - b),
        );
      }),
      { numRuns: 400, seed },
    );
  });
});
