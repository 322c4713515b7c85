// Clearing bytes in place: zeros of the same length, no change where there are zeros, and boxes that become free space.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { walkBoxes } from '../../src/proofs/iso-boxes.ts';
import { blank, freeBox, toFree } from '../../src/strip/blank.ts';
import { box } from '../helpers/avif-builder.ts';
import { inMemory, joined, u32be, u64be } from '../helpers/media-files.ts';
import { edited } from '../helpers/strip.ts';

describe('cleared bytes', () => {
  for (const [start, end] of [
    [0, 10],
    [3, 7],
    [5, 5],
    [0, 200_000],
    [65_535, 131_073],
  ] as const) {
    it(`the bytes from ${start} to ${end} become zeros, and all others stay`, () => {
      const source = Buffer.alloc(Math.max(10, end), 'x');
      const expected = Buffer.from(source).fill(0, start, end);
      assert.deepEqual(edited(source, blank(inMemory(source), { start, end })), expected);
      assert.deepEqual(blank(inMemory(expected), { start, end }), []);
    });
  }

  it('a large part is cleared with one buffer', () => {
    const source = Buffer.alloc(1_000_000, 'x');
    const edits = blank(inMemory(source), { start: 0, end: source.length });
    assert.equal(new Set(edits.map(({ bytes }) => bytes.buffer)).size, 1);
  });
});

describe('free space', () => {
  for (const [what, source, expected] of [
    ['a box', box('udta', joined('secret')), box('free', Buffer.alloc(6))],
    ['a box with a name of 16 bytes', box('uuid', joined('name of 16 bytes', 'secret')), box('free', Buffer.alloc(22))],
    [
      'a box with a 64-bit size',
      joined(u32be(1), 'udta', u64be(22), 'secret'),
      joined(u32be(1), 'free', u64be(22), Buffer.alloc(6)),
    ],
    ['free space with content', box('free', joined('secret')), box('free', Buffer.alloc(6))],
    ['skipped bytes with content', box('skip', joined('secret')), box('skip', Buffer.alloc(6))],
    ['an empty box', box('udta'), box('free')],
  ] as const) {
    it(`a box becomes free space of the same length: ${what}`, () => {
      const [first] = walkBoxes(inMemory(source), 0, source.length) ?? [];
      assert.ok(first);
      assert.deepEqual(edited(source, toFree(inMemory(source), first)), expected);
    });
  }

  for (const length of [8, 9, 65_544, 65_545, 200_000]) {
    it(`a free box of ${length} bytes is inserted`, () => {
      const edits = freeBox(3, length);
      assert.ok(edits.every(({ from, to }) => from === 3 && to === 3));
      assert.deepEqual(joined(...edits.map(({ bytes }) => bytes)), box('free', Buffer.alloc(length - 8)));
    });
  }
});
