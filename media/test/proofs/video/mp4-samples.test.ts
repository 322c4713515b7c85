// The sample table of an MP4 track: all its parts exactly once, counts that fit their boxes, and what the samples need.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readSampleTable } from '../../../src/proofs/video/mp4-samples.ts';
import { box } from '../../helpers/media-builders.ts';
import { hex, inMemory, joined, u32be } from '../../helpers/media-files.ts';
import {
  compactSizes,
  descriptions,
  fullBox,
  picture,
  rows,
  sampleSizes,
  sampleTable,
  wideChunkOffsets,
} from '../../helpers/mp4-builder.ts';

const before = 'some bytes';
const none = Buffer.alloc(0);

function read(table: Buffer, isVideo = true) {
  const bytes = joined(before, table, 'and more bytes behind the table');
  const box = { type: 'stbl', start: before.length, headerSize: 8, end: before.length + table.length };
  return readSampleTable(inMemory(bytes), box, isVideo);
}

const plain = { sampleBytes: 32, firstChunk: 32, lastChunk: 32, size: { width: 64, height: 48 } };
const noChunks = { firstChunk: Number.MAX_SAFE_INTEGER, lastChunk: -1 };

describe('a whole sample table', () => {
  for (const [what, table, expected] of [
    ['its parts', sampleTable(), plain],
    ['a wide picture', sampleTable({ width: 65_535, height: 1 }), { ...plain, size: { width: 65_535, height: 1 } }],
    ['no samples', sampleTable({ sizes: [], chunks: [] }), { ...plain, sampleBytes: 0, ...noChunks }],
    [
      'samples of different sizes',
      sampleTable({ sizes: [1, 0, 0xffffffff] }),
      { ...plain, sampleBytes: 0x1_0000_0000 },
    ],
    [
      'samples of one size',
      sampleTable({ swap: { stsz: sampleSizes([], { each: 7, count: 1_000_000 }) } }),
      { ...plain, sampleBytes: 7_000_000 },
    ],
    [
      'chunks in any order',
      sampleTable({ chunks: [500, 40, 9_000, 41] }),
      { ...plain, firstChunk: 40, lastChunk: 9_000 },
    ],
    [
      '64-bit chunk offsets',
      sampleTable({ swap: { stco: wideChunkOffsets([2 ** 40, 99]) } }),
      { ...plain, firstChunk: 99, lastChunk: 2 ** 40 },
    ],
    ['compact sizes of 4 bits', sampleTable({ swap: { stsz: compactSizes(4, 3, 2) } }), { ...plain, sampleBytes: 0 }],
    ['compact sizes of 8 bits', sampleTable({ swap: { stsz: compactSizes(8, 3, 3) } }), { ...plain, sampleBytes: 0 }],
    ['compact sizes of 16 bits', sampleTable({ swap: { stsz: compactSizes(16, 3, 6) } }), { ...plain, sampleBytes: 0 }],
    [
      'two descriptions, of which the first counts',
      sampleTable({ swap: { stsd: descriptions(picture(7, 3), picture(9, 9)) } }),
      { ...plain, size: { width: 7, height: 3 } },
    ],
    [
      'composition times and key frames',
      sampleTable({ swap: { more: joined(rows('ctts', [1, 2], [3, 4]), rows('stss', [1], [2])) } }),
      plain,
    ],
    ['unknown boxes', sampleTable({ swap: { more: box('sgpd', 'words') } }), plain],
    ['tables with room to spare', sampleTable({ swap: { stts: fullBox('stts', 0, u32be(0), 'words') } }), plain],
  ] as const) {
    it(`a sample table is read: ${what}`, () => assert.deepEqual(read(table), expected));
  }

  it('a sample table of sound has no size of a picture', () =>
    assert.deepEqual(read(sampleTable({ handler: 'soun' }), false), { ...plain, size: undefined }));

  it('a sample table is read across the pieces in which its rows are read', () => {
    const count = 10_000;
    const sizes = Array.from({ length: count }, (_, index) => index);
    const chunks = sizes.map((size) => 5_000 + ((size * 7) % count));
    const expected = {
      sampleBytes: (count * (count - 1)) / 2,
      firstChunk: 5_000,
      lastChunk: 5_000 + count - 1,
      size: plain.size,
    };
    assert.deepEqual(read(sampleTable({ sizes, chunks })), expected);
    assert.deepEqual(read(sampleTable({ sizes, swap: { stco: wideChunkOffsets(chunks) } })), expected);
  });
});

describe('a broken sample table', () => {
  const tooLong = 'a table longer than its box';
  const counted = (type: string, count: number, bytes: number) => fullBox(type, 0, u32be(count), Buffer.alloc(bytes));
  const incomplete = 'an incomplete sample table';
  for (const [what, table, reason] of [
    ['boxes that do not fill it', box('stbl', 'x'), 'boxes do not fill the sample table'],
    ...['stsd', 'stts', 'stsc', 'stsz', 'stco'].flatMap((name): [string, Buffer, string][] => [
      [`no ${name}`, sampleTable({ swap: { [name]: none } }), incomplete],
      [`two ${name}`, sampleTable({ swap: { more: box(name, Buffer.alloc(20)) } }), incomplete],
    ]),
    ['sizes and compact sizes', sampleTable({ swap: { more: compactSizes(8, 0, 0) } }), incomplete],
    ['chunk offsets of 32 and of 64 bits', sampleTable({ swap: { more: wideChunkOffsets([]) } }), incomplete],
    ['more times than their box holds', sampleTable({ swap: { stts: counted('stts', 2, 15) } }), tooLong],
    ['more chunk runs than their box holds', sampleTable({ swap: { stsc: counted('stsc', 2, 23) } }), tooLong],
    ['more composition times than their box holds', sampleTable({ swap: { more: counted('ctts', 2, 15) } }), tooLong],
    ['more key frames than their box holds', sampleTable({ swap: { more: counted('stss', 2, 7) } }), tooLong],
    ['more chunk offsets than their box holds', sampleTable({ swap: { stco: counted('stco', 2, 7) } }), tooLong],
    ['more 64-bit offsets than their box holds', sampleTable({ swap: { stco: counted('co64', 2, 15) } }), tooLong],
    ['4 billion times', sampleTable({ swap: { stts: counted('stts', 0xffffffff, 8) } }), tooLong],
    ['times without a count', sampleTable({ swap: { stts: box('stts', u32be(0), [0, 0, 0]) } }), tooLong],
    ['more sizes than their box holds', sampleTable({ swap: { stsz: sampleSizes([1], { count: 2 }) } }), tooLong],
    ['4 billion sizes', sampleTable({ swap: { stsz: sampleSizes([1], { count: 0xffffffff }) } }), tooLong],
    ['sizes without a count', sampleTable({ swap: { stsz: fullBox('stsz', 0, u32be(0), [0, 0, 0]) } }), tooLong],
    ['compact sizes of 5 bits', sampleTable({ swap: { stsz: compactSizes(5, 0, 9) } }), tooLong],
    ['compact sizes of 0 bits', sampleTable({ swap: { stsz: compactSizes(0, 0, 9) } }), tooLong],
    [
      'more compact sizes of 4 bits than their box holds',
      sampleTable({ swap: { stsz: compactSizes(4, 5, 2) } }),
      tooLong,
    ],
    [
      'more compact sizes of 16 bits than their box holds',
      sampleTable({ swap: { stsz: compactSizes(16, 2, 3) } }),
      tooLong,
    ],
    [
      'compact sizes without a count',
      sampleTable({ swap: { stsz: fullBox('stz2', 0, hex('00000008'), [0, 0, 0]) } }),
      tooLong,
    ],
    [
      'descriptions that do not fill their box',
      sampleTable({ swap: { stsd: fullBox('stsd', 0, u32be(1), picture(1, 1), 'x') } }),
      'boxes do not fill the descriptions',
    ],
    ['no description', sampleTable({ swap: { stsd: descriptions() } }), 'wrong number of descriptions'],
    [
      'fewer descriptions than announced',
      sampleTable({ swap: { stsd: fullBox('stsd', 0, u32be(2), picture(1, 1)) } }),
      'wrong number of descriptions',
    ],
    [
      'more descriptions than announced',
      sampleTable({ swap: { stsd: fullBox('stsd', 0, u32be(1), picture(1, 1), picture(1, 1)) } }),
      'wrong number of descriptions',
    ],
    [
      'descriptions without a count',
      sampleTable({ swap: { stsd: box('stsd', u32be(0)) } }),
      'boxes do not fill the descriptions',
    ],
    [
      'a picture description a byte too short',
      sampleTable({ swap: { stsd: descriptions(box('avc1', Buffer.alloc(77))) } }),
      'a picture description is truncated',
    ],
  ] as [string, Buffer, string][]) {
    it(`a sample table is refused: ${what}`, () => assert.equal(read(table), reason));
  }
});
