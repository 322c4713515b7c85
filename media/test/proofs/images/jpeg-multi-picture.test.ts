// Pictures inside pictures: only an index in a picture that another index lists counts, and the search has a small, fixed cost.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { hasNestedIndex } from '../../../src/proofs/images/jpeg-multi-picture.ts';
import { readSegments } from '../../../src/proofs/images/jpeg-segments.ts';
import {
  frame,
  jpeg,
  pictureIndex,
  plainJpeg,
  scan,
  segment,
  tables,
  withPictures,
} from '../../helpers/jpeg-builder.ts';
import { hex, inMemory, joined, type Part, patched, u16be, u16le, u32be, u32le } from '../../helpers/media-files.ts';
import { nestedJpeg } from '../../helpers/worst-jpeg-files.ts';

const rest = joined(tables, frame(), scan());
const index = segment(
  0xe2,
  pictureIndex({
    pictures: [
      [0, 0],
      [9, 9],
    ],
  }),
);
const indexed = jpeg(index, rest);

function isNested(bytes: Buffer): boolean {
  const file = inMemory(bytes);
  const segments = readSegments(file);
  assert.ok(typeof segments === 'object');
  return hasNestedIndex(file, segments);
}

/** What cameras give each further picture: the version, and attributes such as the angle, but no list. */
function attributes(isLittle: boolean): Buffer {
  const [u16, u32] = isLittle ? [u16le, u32le] : [u16be, u32be];
  const entry = (tag: number, value: number) => joined(u16(tag), u16(4), u32(1), u32(value));
  const entries = [entry(0xb000, 0x30303130), entry(0xb101, 2), entry(0xb204, 1)];
  return segment(0xe2, joined('MPF\0', isLittle ? 'II' : 'MM', u16(42), u32(8), u16(3), ...entries, u32(0)));
}

describe('a picture that an index lists', () => {
  for (const [what, picture] of [
    ['an index as its first segment', indexed],
    ['a little-endian index', jpeg(segment(0xe2, pictureIndex({ isLittle: true, pictures: [[0, 0]] })), rest)],
    [
      'an index after Exif, XMP and a profile',
      jpeg(segment(0xe1, 'Exif'), segment(0xe1, 'http'), segment(0xe2, 'ICC_PROFILE'), index, rest),
    ],
    ['an index as its 16th segment', jpeg(...Array<Buffer>(15).fill(segment(0xe1, 'Exif')), index, rest)],
    ['an index that lists no picture', jpeg(segment(0xe2, pictureIndex({ pictures: [] })), rest)],
    [
      'an index that is not after its header at once',
      jpeg(segment(0xe2, pictureIndex({ pictures: [], directoryAt: 99, more: 5 })), rest),
    ],
  ] as const) {
    it(`a listed picture has a picture inside: ${what}`, () => {
      assert.equal(isNested(withPictures(plainJpeg, [picture])), true);
      assert.equal(isNested(withPictures(plainJpeg, [plainJpeg, picture])), true);
    });
  }

  for (const [what, picture] of [
    ['no index', plainJpeg],
    ['attributes, as cameras write them', jpeg(attributes(false), rest)],
    ['attributes in little-endian order', jpeg(attributes(true), rest)],
    ['an index after its picture segments', jpeg(tables, index, frame(), scan())],
    ['an index as its 17th segment', jpeg(...Array<Buffer>(16).fill(segment(0xe1, 'Exif')), index, rest)],
    ['another mark', jpeg(segment(0xe2, 'MPX\0MM'), rest)],
    ['an index in a segment of another kind', jpeg(segment(0xe1, index.subarray(4)), rest)],
    ['no start', joined('XX', indexed.subarray(2))],
    ['an unknown byte order', patched(indexed, 10, 'XX')],
    ['a directory outside', patched(indexed, 14, hex('ffffffff'))],
    ['nothing but its start', hex('ffd8')],
    ['words', Buffer.from('words')],
  ] as const) {
    it(`a listed picture has no picture inside: ${what}`, () =>
      assert.equal(isNested(withPictures(plainJpeg, [picture])), false));
  }

  it('an index cut anywhere is read without an error', () => {
    for (let length = 4; length < index.length; length++) {
      const cut = segment(0xe2, index.subarray(4, length));
      isNested(withPictures(plainJpeg, [jpeg(cut, rest)]));
      isNested(jpeg(cut, rest));
      isNested(withPictures(plainJpeg, [joined(hex('ffd8'), index.subarray(0, length))]));
    }
  });
});

describe('the index of the first picture', () => {
  const listing = (...parts: Part[]) => isNested(joined(...parts));

  it('a picture counts only if the index lists it', () => {
    assert.equal(listing(plainJpeg, indexed), false);
    assert.equal(isNested(withPictures(plainJpeg, [indexed], 1)), false);
  });

  it('the first picture itself is not a further one', () => assert.equal(listing(indexed, plainJpeg), false));

  it('a thumbnail inside the first picture is not a further picture', () => {
    const inside = (offset: number) =>
      segment(
        0xe2,
        pictureIndex({
          pictures: [
            [0, 0],
            [9, offset],
          ],
        }),
      );
    // The TIFF header of the index is the tenth byte, and the thumbnail is behind the mark of its segment.
    const thumbnailAt = 2 + inside(0).length + 8 - 10;
    assert.equal(isNested(jpeg(inside(thumbnailAt), segment(0xe1, joined('Exif', indexed)), rest)), false);
  });

  it('only the first 16 listed pictures are looked at', () => {
    const others = Array<Buffer>(14).fill(plainJpeg);
    assert.equal(isNested(withPictures(plainJpeg, [...others, indexed])), true);
    assert.equal(isNested(withPictures(plainJpeg, [...others, plainJpeg, indexed])), false);
  });

  it('an index that counts 4 billion pictures is read as far as it goes', () => {
    const pictures: [number, number][] = [[0, 0]];
    assert.equal(isNested(jpeg(segment(0xe2, pictureIndex({ pictures, count: 0xffffffff })), rest)), false);
  });

  it('pictures inside pictures are found after a few reads, however many there are', () => {
    for (const depth of [1, 100, 10_000]) {
      const file = inMemory(nestedJpeg(depth));
      const segments = readSegments(file);
      assert.ok(typeof segments === 'object');
      let reads = 0;
      const read = (position: number, length: number) => {
        reads += 1;
        return file.read(position, length);
      };
      assert.equal(hasNestedIndex({ size: file.size, read }, segments), depth > 1);
      assert.ok(reads < 10, `${reads} reads`);
    }
  });
});
