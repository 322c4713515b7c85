// The pictures behind the first picture of a JPEG: an index lists exactly them, in order and without gaps, and each is proved.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { corrupt, type FileBytes, proved } from '../../../src/media/media-type.ts';
import { isMultiPicture } from '../../../src/media/proofs/jpeg-multi-picture.ts';
import { pictureIndex } from '../../helpers/media/jpeg-builder.ts';
import { inMemory, joined, type Part, patched, u16be, u32be } from '../../helpers/media/media-files.ts';

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
});

describe('the index of pictures', () => {
  const tag = (id: number, value: number) => joined(u16be(id), u16be(4), u32be(1), u32be(value));
  const header = (directoryAt: number) => joined('MPF\0MM', u16be(42), u32be(directoryAt));
  const tags = (rowsAt: number) => joined(u16be(2), tag(0xb001, 2), tag(0xb002, rowsAt));
  /** The first picture, and one of four bytes behind it, for an index of so many bytes. */
  const rows = (bytes: number) => joined(Buffer.alloc(16), u32be(0), u32be(4), u32be(behindAt(bytes)), u32be(0));
  const behindAt = (bytes: number) => bodyAt + bytes + 5 - tiffAt;
  const smallest = (bytes = 70) => joined(header(8), tags(34), rows(bytes));

  for (const [what, body] of [
    ['the smallest one', smallest()],
    ['a directory behind its rows, at the very end', joined(header(40), rows(70), tags(8))],
    ['rows that are not behind the directory at once', joined(header(8), tags(37), 'abc', rows(73))],
    ['a third tag', joined(header(8), u16be(3), tag(0xb001, 2), tag(0xb002, 46), tag(0xb003, 9), rows(82))],
  ] as const) {
    it(`an index is read: ${what}`, () => assert.equal(judgeBody(body, 'aaaa').isWhole, true));
  }

  it('an index that lists no other picture is that of a file with one picture', () => {
    const alone = joined(header(8), u16be(2), tag(0xb001, 1), tag(0xb002, 34), rows(70));
    assert.equal(judgeBody(alone, '').isWhole, true);
    assert.equal(judgeBody(alone, 'aaaa').isWhole, false);
  });

  const at = (position: number, ...parts: Part[]) => patched(smallest(), position, joined(...parts));
  for (const [what, body] of [
    ['another mark', at(3, 'X')],
    ['another byte order', at(4, 'IM')],
    ['a directory far outside', at(8, u32be(0xffffffff))],
    ['a directory whose tags are outside', at(8, u32be(66 - 2 - 2 * 12 + 1))],
    ['a directory without tags', at(12, u16be(0))],
    ['a directory that counts one of its tags', at(12, u16be(1))],
    ['no tag for the count', at(14, u16be(0xb009))],
    ['no tag for the rows', at(26, u16be(0xb009))],
    [
      'no tag for the rows, and more tags than fit',
      joined(header(8), u16be(99), tag(0xb001, 2), tag(0xb009, 34), rows(70)),
    ],
    ['rows far outside', at(34, u32be(0xffffffff))],
    ['rows that end outside', at(34, u32be(35))],
  ] as const) {
    it(`an index is refused: ${what}`, () => assert.equal(judgeBody(body, 'aaaa').isWhole, false));
  }

  it('an index is refused when it is cut anywhere', () => {
    for (let length = 0; length < 70; length++)
      assert.equal(judgeBody(smallest(length).subarray(0, length), 'aaaa').isWhole, false, `${length}`);
  });

  it('an index is looked for in segments of its kind alone', () =>
    assert.equal(judgeBody(smallest(), 'aaaa', 0xe1).isWhole, false));

  it('a further picture is proved from its own bytes alone', () => {
    const body = joined(
      header(8),
      u16be(2),
      tag(0xb001, 3),
      tag(0xb002, 34),
      rows(86),
      u32be(0),
      u32be(2),
      u32be(behindAt(86) + 4),
      u32be(0),
    );
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
