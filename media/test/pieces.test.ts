// The pieces of an edited file: what stays of the source in order, new bytes in between, and the whole as one file to read.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { rounds, seed } from '../../test/helpers/faults/rounds.ts';
import { joinPieces, toPieces } from '../src/pieces.ts';
import type { Edit } from '../src/strip/edit.ts';
import { inMemory } from './helpers/media-files.ts';

const source = Buffer.from('0123456789');
const edit = (from: number, to: number, text = ''): Edit => ({ from, to, bytes: Buffer.from(text) });

/** The pieces as text: what stays as it is, and new bytes in brackets. */
function piecesOf(...edits: Edit[]): string {
  const show = (piece: ReturnType<typeof toPieces>[number]) =>
    'bytes' in piece ? `(${piece.bytes})` : `${source.subarray(piece.from, piece.to)}`;
  return toPieces(edits, source.length).map(show).join(' ');
}

describe('the pieces of an edited file', () => {
  for (const [what, edits, expected] of [
    ['no edit', [], '0123456789'],
    ['a removal in the middle', [edit(3, 5)], '012 56789'],
    ['a removal at the start', [edit(0, 2)], '23456789'],
    ['a removal at the end', [edit(8, 10)], '01234567'],
    ['a removal of everything', [edit(0, 10)], ''],
    ['new bytes in the middle', [edit(3, 3, 'ab')], '012 (ab) 3456789'],
    ['new bytes at the start and at the end', [edit(0, 0, 'a'), edit(10, 10, 'b')], '(a) 0123456789 (b)'],
    ['a replacement', [edit(3, 5, 'ab')], '012 (ab) 56789'],
    ['edits in another order', [edit(7, 8), edit(1, 2, 'a'), edit(4, 4, 'b')], '0 (a) 23 (b) 456 89'],
    ['removals side by side', [edit(3, 5), edit(5, 7)], '012 789'],
    ['new bytes before a removal at the same place', [edit(3, 3, 'ab'), edit(3, 5)], '012 (ab) 56789'],
    ['a removal inside a removal', [edit(2, 8), edit(3, 5)], '01 89'],
  ] as const) {
    it(`an edited file has the pieces that stay, and new ones: ${what}`, () =>
      assert.equal(piecesOf(...edits), expected));
  }

  it('the order of the edits that are given does not change', () => {
    const edits = [edit(7, 8), edit(1, 2)];
    toPieces(edits, 10);
    assert.deepEqual(edits, [edit(7, 8), edit(1, 2)]);
  });

  it('an edited file is read like a file of its pieces, wherever a read begins and ends', () => {
    const anyEdit = fc.tuple(fc.nat(4), fc.nat(3), fc.string({ maxLength: 4, unit: 'grapheme-ascii' }));
    fc.assert(
      fc.property(fc.array(anyEdit, { maxLength: 4 }), (list) => {
        const edits = list.map(([at, length, text], index) =>
          edit(at + 5 * index, Math.min(at + length, 5) + 5 * index, text),
        );
        const bytes = Buffer.alloc(20, '0123456789');
        const pieces = toPieces(edits, bytes.length);
        const whole = Buffer.concat(
          pieces.map((piece) => ('bytes' in piece ? piece.bytes : bytes.subarray(piece.from, piece.to))),
        );
        const file = joinPieces(pieces, inMemory(bytes));
        assert.equal(file.size, whole.length);
        for (let position = 0; position <= whole.length + 1; position++)
          for (let length = 0; length <= whole.length + 1; length++)
            assert.deepEqual(file.read(position, length), whole.subarray(position, position + length));
      }),
      { numRuns: rounds(15), seed },
    );
  });

  it('a read of an edited file reads only the pieces that it needs', () => {
    const reads: [number, number][] = [];
    const read = (position: number, length: number) => {
      reads.push([position, length]);
      return source.subarray(position, position + length);
    };
    const file = joinPieces(toPieces([edit(3, 5), edit(7, 7, 'ab')], 10), { size: 10, read });
    assert.equal(file.read(2, 3).toString(), '256');
    assert.deepEqual(reads.splice(0), [
      [2, 1],
      [5, 2],
    ]);
    assert.equal(file.read(5, 2).toString(), 'ab');
    assert.deepEqual(reads, []);
  });
});
