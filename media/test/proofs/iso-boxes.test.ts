// The boxes of ISO base media files: sizes of 32 and 64 bits and open ones, and boxes that fill their range exactly.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readContent, walkBoxes } from '../../src/proofs/iso-boxes.ts';
import { box } from '../helpers/media-builders.ts';
import { inMemory, joined, type Part, u32be, u64be, uncopied } from '../helpers/media-files.ts';

const free = box('free');

function walk(bytes: Buffer, from = 0, to = bytes.length) {
  return walkBoxes(inMemory(bytes), from, to);
}

function longBox(type: string, size: number, content: Part): Buffer {
  return joined(u32be(1), type, u64be(size), content);
}

describe('boxes', () => {
  it('boxes of a 32-bit, a 64-bit and an open size are listed with their places', () => {
    const open = joined(u32be(0), 'mdat', 'xx');
    const bytes = joined(
      box('ftyp', 'x'),
      longBox('free', 20, 'abcd'),
      box('uuid', Buffer.alloc(16)),
      longBox('uuid', 33, Buffer.alloc(17)),
      open,
    );
    assert.deepEqual(walk(bytes), [
      { type: 'ftyp', start: 0, headerSize: 8, end: 9 },
      { type: 'free', start: 9, headerSize: 16, end: 29 },
      { type: 'uuid', start: 29, headerSize: 24, end: 53 },
      { type: 'uuid', start: 53, headerSize: 32, end: 86 },
      { type: 'mdat', start: 86, headerSize: 8, end: 96 },
    ]);
  });

  it('boxes are listed in a part of a file', () => {
    const bytes = joined('before', box('abcd', 'x'), free, 'after');
    assert.deepEqual(walk(bytes, 6, 23), [
      { type: 'abcd', start: 6, headerSize: 8, end: 15 },
      { type: 'free', start: 15, headerSize: 8, end: 23 },
    ]);
    assert.deepEqual(walk(bytes, 23, 23), []);
  });

  it('boxes are listed across the pieces in which they are read', () => {
    const sizes = Array.from({ length: 2_000 }, (_, index) => (index * 7) % 40);
    const found = walk(joined(...sizes.map((size) => box('abcd', Buffer.alloc(size)))));
    assert.deepEqual(
      found?.map(({ start, end }) => end - start - 8),
      sizes,
    );
  });

  for (const [what, bytes] of [
    ['a size smaller than the header', joined(u32be(7), 'free')],
    ['a size smaller than the header, before a box that would fit', joined(u32be(4), u32be(8), 'abcd')],
    ['a 64-bit size smaller than the header', longBox('free', 15, '')],
    ['a size larger than what is left', joined(u32be(9), 'free')],
    ['a 64-bit size larger than what is left', longBox('free', 17, '')],
    ['a 64-bit size beyond all numbers', joined(u32be(1), 'free', Buffer.alloc(8, 0xff))],
    ['a header that is cut', joined(free, [0, 0, 0, 8], 'fre')],
    ['a 64-bit size that is cut', joined(u32be(1), 'free', Buffer.alloc(7))],
    ['a user type that is cut', joined(u32be(23), 'uuid', Buffer.alloc(15))],
    ['a size smaller than its user type', joined(u32be(23), 'uuid', Buffer.alloc(16))],
    ['bytes that are no box', joined(free, 'x')],
  ] as const) {
    it(`boxes are refused: ${what}`, () => assert.equal(walk(bytes), undefined));
  }

  it('boxes are refused if they do not fill their range exactly', () => {
    const bytes = joined(free, free);
    assert.equal(walk(bytes, 0, 15), undefined);
    assert.equal(walk(bytes, 0, 17), undefined);
    assert.equal(walk(bytes, 1, 16), undefined);
    assert.equal(walk(bytes, 0, 9), undefined);
  });

  it('boxes are refused if their range ends behind the file', () =>
    assert.equal(walk(joined(u32be(100), 'free'), 0, 100), undefined));

  it('a box may have an open size only if it ends with the file', () => {
    const bytes = joined(u32be(0), 'mdat', 'abcd', free);
    assert.deepEqual(walk(bytes), [{ type: 'mdat', start: 0, headerSize: 8, end: 20 }]);
    assert.equal(walk(bytes, 0, 12), undefined);
  });

  it('100,000 boxes are listed, and no box more', () => {
    const of = (count: number) => walkBoxes(uncopied(Buffer.alloc(8 * count, free)), 0, 8 * count);
    assert.equal(of(100_000)?.length, 100_000);
    assert.equal(of(100_001), undefined);
  });

  it('a list of boxes is read without what is in the boxes or behind the list', () => {
    const bytes = joined(free, box('mdat', Buffer.alloc(100_000)), free, Buffer.alloc(100_000));
    const file = inMemory(bytes);
    let loaded = 0;
    const read = (position: number, length: number) => {
      loaded += length;
      return file.read(position, length);
    };
    assert.equal(walkBoxes({ size: bytes.length, read }, 0, 100_024)?.length, 3);
    assert.ok(loaded <= 2 * 4_096, `${loaded} bytes`);
    loaded = 0;
    assert.equal(walkBoxes({ size: bytes.length, read }, 100_016, 100_024)?.length, 1);
    assert.equal(loaded, 32);
  });

  it('a file of many small boxes is read in large pieces', () => {
    const bytes = Buffer.alloc(8 * 10_000, free);
    const file = inMemory(bytes);
    let reads = 0;
    const read = (position: number, length: number) => {
      reads += 1;
      return file.read(position, length);
    };
    assert.equal(walkBoxes({ size: bytes.length, read }, 0, bytes.length)?.length, 10_000);
    assert.ok(reads <= bytes.length / 4_000 + 4, `${reads} reads`);
  });
});

describe('the content of a box', () => {
  const bytes = joined('before', box('abcd', '12345'), 'after');
  const content = (length: number) =>
    readContent(inMemory(bytes), { type: 'abcd', start: 6, headerSize: 8, end: 19 }, length).toString('latin1');

  it('the content of a box is read as far as it is asked for, and never behind the box', () => {
    assert.equal(content(3), '123');
    assert.equal(content(5), '12345');
    assert.equal(content(6), '12345');
    assert.equal(content(0), '');
  });
});
