// The pictures behind the first picture of a JPEG: an index lists exactly them, in order and without gaps, and each is proved.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { corrupt, type FileBytes, proved } from '../../../src/media/media-type.ts';
import { isMultiPicture } from '../../../src/media/proofs/jpeg-multi-picture.ts';
import { pictureIndex } from '../../helpers/media/jpeg-builder.ts';
import { inMemory, joined, u16be, u32be } from '../../helpers/media/media-files.ts';

const app2 = 0xe2;
/** The body of the index begins here, and its TIFF header four bytes later. */
const bodyAt = 10;
const tiffAt = bodyAt + 4;

/** Takes a file for a picture if it is a letter repeated. Notes what it was asked. */
function createProver() {
  const seen: string[] = [];
  const prove = (file: FileBytes) => {
    const text = file.read(0, file.size).toString('latin1');
    seen.push(text);
    if (text === 'unknown') return undefined;
    return /^(.)\1*$/.test(text) ? proved('image/jpeg') : corrupt('image/jpeg', 'mixed');
  };
  return { prove, seen };
}

/** `listed`: the pictures that the index lists, as an offset behind the end of the first picture and a length. */
function judge(
  behind: string,
  listed: [offset: number, length: number][],
  options: Partial<Parameters<typeof pictureIndex>[0]> = {},
) {
  const rows = (end: number): [number, number][] => [
    [0, 0],
    ...listed.map(([offset, length]): [number, number] => [length, end + offset - tiffAt]),
  ];
  const end = bodyAt + pictureIndex({ ...options, pictures: rows(0) }).length + 5;
  return judgeBody(pictureIndex({ ...options, pictures: rows(end) }), behind);
}

function judgeBody(body: Buffer, behind: string, marker = app2): { isWhole: boolean; seen: string[] } {
  const bytes = joined(Buffer.alloc(bodyAt), body, Buffer.alloc(5), behind);
  const segments = [
    { marker: 0xe1, bodyStart: 0, bodyEnd: 4 },
    { marker: app2, bodyStart: 4, bodyEnd: 8 },
    { marker, bodyStart: bodyAt, bodyEnd: bodyAt + body.length },
  ];
  const { prove, seen } = createProver();
  return { isWhole: isMultiPicture(inMemory(bytes), segments, bodyAt + body.length + 5, prove), seen };
}

describe('the pictures behind the first', () => {
  for (const [what, behind, listed, options] of [
    ['one picture', 'aaaa', [[0, 4]]],
    [
      'three pictures',
      'aaaabbbbbbc',
      [
        [0, 4],
        [4, 6],
        [10, 1],
      ],
    ],
    [
      'pictures listed in another order',
      'aaaabbbbbbc',
      [
        [10, 1],
        [0, 4],
        [4, 6],
      ],
    ],
    [
      'a little-endian index',
      'aaaabbb',
      [
        [0, 4],
        [4, 3],
      ],
      { isLittle: true },
    ],
    ['a directory that is not behind the header at once', 'aaaa', [[0, 4]], { directoryAt: 20 }],
    ['further entries in the directory', 'aaaa', [[0, 4]], { more: 3 }],
    ['16 pictures with the first', 'abcdefghijklmno', Array.from({ length: 15 }, (_, at) => [at, 1])],
    [
      'the first two of three, if only two are counted',
      'aaaa',
      [
        [0, 4],
        [9, 9],
      ],
      { count: 2 },
    ],
  ] as [string, string, [number, number][], Parameters<typeof judge>[2]?][]) {
    it(`further pictures are accepted: ${what}`, () => {
      const { isWhole, seen } = judge(behind, listed, options);
      assert.equal(isWhole, true);
      assert.equal(seen.join(''), behind);
    });
  }

  for (const [what, behind, listed, options] of [
    ['no picture behind the first', 'aaaa', []],
    ['an index with no rows', 'aaaa', [[0, 4]], { count: 0 }],
    ['an index that counts only the first', 'aaaa', [[0, 4]], { count: 1 }],
    ['17 pictures with the first', 'abcdefghijklmnop', Array.from({ length: 16 }, (_, at) => [at, 1])],
    ['more pictures than rows', 'aaaa', [[0, 4]], { count: 3 }],
    ['4 billion pictures', 'aaaa', [[0, 4]], { count: 0xffffffff }],
    ['a gap before the first', 'xaaaa', [[1, 4]]],
    [
      'a gap between two',
      'aaaaxbb',
      [
        [0, 4],
        [5, 2],
      ],
    ],
    [
      'an overlap',
      'aaaa',
      [
        [0, 3],
        [2, 2],
      ],
    ],
    [
      'the same picture twice',
      'aaaa',
      [
        [0, 4],
        [0, 4],
      ],
    ],
    [
      'a picture of no bytes',
      'aaaa',
      [
        [0, 0],
        [0, 4],
      ],
    ],
    ['bytes behind the last', 'aaaax', [[0, 4]]],
    ['a picture longer than the file', 'aaaa', [[0, 5]]],
    ['a picture of 4 GiB', 'aaaa', [[0, 0xffffffff]]],
    ['a picture that is broken', 'abab', [[0, 4]]],
    [
      'a second picture that is broken',
      'aaaabc',
      [
        [0, 4],
        [4, 2],
      ],
    ],
    ['a picture that no prover knows', 'unknown', [[0, 7]]],
  ] as [string, string, [number, number][], Parameters<typeof judge>[2]?][]) {
    it(`further pictures are refused: ${what}`, () => assert.equal(judge(behind, listed, options).isWhole, false));
  }

  const end = (body: number) => bodyAt + body + 5 - tiffAt;
  const valid = pictureIndex({
    pictures: [
      [0, 0],
      [4, end(74)],
    ],
  });
  const table = 4 + 8 + 2 + 24 + 4;
  it('an index is read from the first segment of its kind that has its mark', () => {
    assert.equal(valid.length, 74);
    assert.equal(judgeBody(valid, 'aaaa').isWhole, true);
    assert.equal(judgeBody(valid, 'aaaa', 0xe1).isWhole, false);
  });

  for (const [what, body] of [
    ['another mark', joined('MPX\0', valid.subarray(4))],
    ['another byte order', joined('MPF\0', 'IM', valid.subarray(6))],
    ['nothing behind its mark', valid.subarray(0, 4)],
    ['nothing behind its header', valid.subarray(0, 13)],
    ['a directory outside', joined(valid.subarray(0, 8), u32be(0xffffffff), valid.subarray(12))],
    ['a directory that ends outside', joined(valid.subarray(0, 12), u16be(7), valid.subarray(14))],
    ['no entry for the count', joined(valid.subarray(0, 14), u16be(0xb009), valid.subarray(16))],
    ['no entry for the rows', joined(valid.subarray(0, 26), u16be(0xb009), valid.subarray(28))],
    ['rows outside', joined(valid.subarray(0, 34), u32be(0xffffffff), valid.subarray(38))],
    ['rows that are cut', valid.subarray(0, -1)],
  ] as const) {
    it(`an index is refused with ${what}`, () => {
      const padded = what === 'rows that are cut' ? body : joined(body, Buffer.alloc(valid.length - body.length));
      assert.equal(judgeBody(what.startsWith('nothing') ? body : padded, 'aaaa').isWhole, false);
    });
  }

  it('an index may have its rows anywhere in the segment', () => {
    const moved = joined(
      valid.subarray(0, 34),
      u32be(table - 4 + 3),
      valid.subarray(38, table),
      'abc',
      valid.subarray(table),
    );
    const row = moved.length - 16 + 8;
    moved.writeUInt32BE(end(moved.length), row);
    assert.equal(judgeBody(moved, 'aaaa').isWhole, true);
  });

  it('a further picture is proved from its own bytes alone', () => {
    const body = pictureIndex({
      pictures: [
        [0, 0],
        [4, end(74)],
        [2, end(90) + 4],
      ],
    });
    body.writeUInt32BE(end(body.length), body.length - 32 + 8);
    body.writeUInt32BE(end(body.length) + 4, body.length - 16 + 8);
    const bytes = joined(Buffer.alloc(bodyAt), body, Buffer.alloc(5), 'abcdxy');
    const segments = [{ marker: app2, bodyStart: bodyAt, bodyEnd: bodyAt + body.length }];
    const reads: [number, string, string, string, string][] = [];
    const prove = (file: FileBytes) => {
      const text = (position: number, length: number) => file.read(position, length).toString('latin1');
      reads.push([file.size, text(0, 2), text(1, 99), text(file.size, 5), text(file.size + 3, 5)]);
      return proved('image/jpeg');
    };
    assert.equal(isMultiPicture(inMemory(bytes), segments, bodyAt + body.length + 5, prove), true);
    assert.deepEqual(reads, [
      [4, 'ab', 'bcd', '', ''],
      [2, 'xy', 'y', '', ''],
    ]);
  });
});
