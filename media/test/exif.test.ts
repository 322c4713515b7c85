// The orientation in Exif data: which structures have one, and that broken ones count as upright.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { rounds, seed } from '../../test/helpers/faults/rounds.ts';
import { readOrientation, writeOrientation } from '../src/exif.ts';
import { hex, joined, u16be, u16le, u32be, u32le } from './helpers/media-files.ts';

const orders = {
  'big-endian': { mark: 'MM', u16: u16be, u32: u32be },
  'little-endian': { mark: 'II', u16: u16le, u32: u32le },
} as const;

const short = 3;
const long = 4;
const orientation = 0x0112;

type Entry = readonly [tag: number, type: number, value: Buffer];

function tiff(order: keyof typeof orders, entries: readonly Entry[], { at = 8, count = entries.length } = {}): Buffer {
  const { mark, u16, u32 } = orders[order];
  const rows = entries.map(([tag, type, value]) => joined(u16(tag), u16(type), u32(1), value));
  return joined(mark, u16(42), u32(at), Buffer.alloc(at - 8), u16(count), ...rows);
}

describe('the orientation of Exif data', () => {
  for (const order of ['big-endian', 'little-endian'] as const) {
    const { u16, u32 } = orders[order];
    const asShort = (value: number): Entry => [orientation, short, joined(u16(value), [0, 0])];
    const make: Entry = [0x010f, 2, u32(7)];

    for (let value = 1; value <= 8; value++) {
      it(`the orientation is read as ${value} from ${order} data, from a short and from a long value`, () => {
        assert.equal(readOrientation(tiff(order, [asShort(value)])), value);
        assert.equal(readOrientation(tiff(order, [[orientation, long, u32(value)]])), value);
      });
    }

    for (const [what, data, expected] of [
      ['after other entries', tiff(order, [make, make, asShort(6)]), 6],
      ['in a directory that is not behind the header at once', tiff(order, [asShort(6)], { at: 20 }), 6],
      ['as the first of two', tiff(order, [asShort(3), asShort(6)]), 3],
      ['beside entries that are announced and missing', tiff(order, [asShort(3)], { count: 9 }), 3],
      ['behind the announced entries', tiff(order, [make, asShort(6)], { count: 1 }), 1],
      ['of 0', tiff(order, [asShort(0)]), 1],
      ['of 9', tiff(order, [asShort(9)]), 1],
      ['of 6 after one of 9', tiff(order, [asShort(9), asShort(6)]), 1],
      ['of 65,542 in a long value', tiff(order, [[orientation, long, u32(0x10006)]]), 1],
      ['of a type that is not a number', tiff(order, [[orientation, 2, joined(u16(6), [0, 0])]]), 1],
      ['that is cut in its value', tiff(order, [asShort(6)]).subarray(0, -1), 1],
      ['that is missing', tiff(order, [make]), 1],
    ] as const) {
      it(`the orientation is ${expected} for an orientation ${what} in ${order} data`, () =>
        assert.equal(readOrientation(data), expected));
    }
  }

  const upside = joined(writeOrientation(3));
  for (const [what, data] of [
    ['no bytes', Buffer.alloc(0)],
    ['another byte order', joined('MI', upside.subarray(2))],
    ['another magic number', joined('MM', [0, 43], upside.subarray(4))],
    ['a directory outside the data', hex('4d4d002affffffff')],
    ['a directory that begins with the last byte', joined(hex('4d4d002a0000001d'), Buffer.alloc(22))],
    ['a directory that begins behind the last byte', joined(hex('4d4d002a0000001e'), Buffer.alloc(22))],
    ['a directory inside the header', hex('4d4d002a00000007')],
    ['the length of a header and nothing else', upside.subarray(0, 8)],
    ['65,535 entries', joined(hex('4d4d002a00000008ffff'), Buffer.alloc(70_000))],
  ] as const) {
    it(`the orientation is upright for data with ${what}`, () => assert.equal(readOrientation(data), 1));
  }

  it('the orientation is upright for data that are cut anywhere', () => {
    for (let length = 0; length < 22; length++) assert.equal(readOrientation(upside.subarray(0, length)), 1);
  });

  it('the orientation is a number from 1 to 8 for any data', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), fc.nat(63), (noise, at) => {
        const data = Buffer.concat([upside, Buffer.alloc(64)]);
        data.set(noise, Math.min(at, data.length - noise.length));
        const value = readOrientation(data);
        assert.ok(Number.isInteger(value) && value >= 1 && value <= 8);
      }),
      { numRuns: rounds(500), seed },
    );
  });
});

describe('minimal Exif data', () => {
  it('minimal Exif data have one directory with one entry, the orientation', () => {
    const entry = '0112 0003 00000001 0006 0000';
    assert.deepEqual(writeOrientation(6), hex(`4d4d 002a 00000008 0001 ${entry} 00000000`));
  });

  it('minimal Exif data are read back as the orientation that was written', () => {
    for (let value = 1; value <= 8; value++) assert.equal(readOrientation(writeOrientation(value)), value);
  });
});
