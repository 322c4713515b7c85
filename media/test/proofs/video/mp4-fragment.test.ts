// A fragment of an MP4: a header, tracks that the movie knows, and runs of samples that fit their boxes.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fragmentDefect } from '../../../src/proofs/video/mp4-fragment.ts';
import { box } from '../../helpers/media-builders.ts';
import { inMemory, joined, u32be } from '../../helpers/media-files.ts';
import { fragment, fullBox, run, trackFragment } from '../../helpers/mp4-builder.ts';

const before = 'some bytes';

function judge(bytes: Buffer, budget = { boxes: 1_000, tracks: new Set([1, 2, 8]) }): string | undefined {
  const box = { type: 'moof', start: before.length, headerSize: 8, end: before.length + bytes.length };
  return fragmentDefect(inMemory(joined(before, bytes)), box, budget);
}

/** Bits of a run, and the bytes that each adds: to its head, or to each row. */
const headFlags = [0x000001, 0x000004];
const rowFlags = [0x000100, 0x000200, 0x000400, 0x000800];

describe('a whole fragment', () => {
  for (const [what, bytes] of [
    ['no track', fragment()],
    ['a track without runs', fragment(trackFragment(1))],
    ['two tracks', fragment(trackFragment(1, run(0, 1)), trackFragment(2, run(0, 1)))],
    ['a run whose samples have no values of their own', fragment(trackFragment(1, run(0, 0xffffffff)))],
    ['a run with all values', fragment(trackFragment(1, run(0x000f05, 2, Buffer.alloc(8 + 32))))],
    ['a run with room to spare', fragment(trackFragment(1, run(0x000100, 1, Buffer.alloc(9))))],
    ['a run with a version', fragment(trackFragment(1, run(0x01000100, 1, Buffer.alloc(4))))],
    ['unknown boxes', fragment(box('free'), trackFragment(1, box('tfdt', 'words'), run(0, 1)))],
    ['100 tracks', fragment(...Array<Buffer>(100).fill(trackFragment(1)))],
  ] as const) {
    it(`a fragment is accepted: ${what}`, () => assert.equal(judge(bytes), undefined));
  }

  it('a run is as long as its flags and its number of samples say', () => {
    const flags = [...headFlags, ...rowFlags];
    for (let bits = 0; bits < 2 ** flags.length; bits++) {
      const set = flags.filter((_, index) => (bits & (1 << index)) !== 0);
      const value = set.reduce((sum, flag) => sum | flag, 0);
      const length =
        4 * set.filter((flag) => headFlags.includes(flag)).length +
        3 * 4 * set.filter((flag) => rowFlags.includes(flag)).length;
      assert.equal(judge(fragment(trackFragment(1, run(value, 3, Buffer.alloc(length))))), undefined, `${bits}`);
      if (length > 0)
        assert.equal(
          judge(fragment(trackFragment(1, run(value, 3, Buffer.alloc(length - 1))))),
          'a run of samples longer than its box',
          `${bits}`,
        );
    }
  });
});

describe('a broken fragment', () => {
  for (const [what, bytes, reason] of [
    ['no header', box('moof', trackFragment(1)), 'a fragment without its header'],
    ['two headers', fragment(fullBox('mfhd', 0, u32be(2))), 'a fragment without its header'],
    ['boxes that do not fill it', fragment(joined('x')), 'a fragment without its header'],
    ['101 tracks', fragment(...Array<Buffer>(101).fill(trackFragment(1))), 'too many tracks'],
    ['an unknown track', fragment(trackFragment(3)), 'a fragment of an unknown track'],
    ['an unknown second track', fragment(trackFragment(1), trackFragment(3)), 'a fragment of an unknown track'],
    [
      'a run of 4 billion samples with values',
      fragment(trackFragment(1, run(0x000100, 0xffffffff))),
      'a run of samples longer than its box',
    ],
    [
      'a run without a count',
      fragment(trackFragment(1, fullBox('trun', 0, [0, 0, 0]))),
      'a run of samples longer than its box',
    ],
    [
      'a broken second run',
      fragment(trackFragment(1, run(0, 1), run(0x000100, 1))),
      'a run of samples longer than its box',
    ],
  ] as const) {
    it(`a fragment is refused: ${what}`, () => assert.equal(judge(bytes), reason));
  }

  for (const [what, part, reason] of [
    ['no header', box('traf', run(0, 1)), 'a broken fragment'],
    ['two headers', box('traf', fullBox('tfhd', 0, u32be(1)), fullBox('tfhd', 0, u32be(1))), 'a broken fragment'],
    ['boxes that do not fill it', box('traf', fullBox('tfhd', 0, u32be(1)), 'x'), 'a broken fragment'],
    [
      'a header cut in its number',
      box('traf', fullBox('tfhd', 0, [0, 0, 0]), box('free')),
      'a fragment of an unknown track',
    ],
    [
      'a header whose number would be in the next box',
      box('traf', fullBox('tfhd', 0), box('free'), run(0, 1)),
      'a fragment of an unknown track',
    ],
  ] as const) {
    it(`a track of a fragment is refused: ${what}`, () => assert.equal(judge(fragment(part)), reason));
  }
});

describe('the budget of fragments', () => {
  const bytes = fragment(trackFragment(1, run(0, 1), run(0, 1)), trackFragment(2));

  it('the boxes of fragments are taken from the budget of the file', () => {
    const budget = { boxes: 20, tracks: new Set([1, 2]) };
    // A header and two tracks, of which one has a header and two runs, and the other a header.
    assert.equal(judge(bytes, budget), undefined);
    assert.equal(budget.boxes, 20 - 3 - 3 - 1);
    assert.equal(judge(bytes, budget), undefined);
    assert.equal(budget.boxes, 20 - 14);
  });

  for (const [boxes, reason] of [
    [7, undefined],
    [6, 'a broken fragment'],
    [3, 'a broken fragment'],
    [2, 'a fragment without its header'],
  ] as const) {
    it(`fragments with a budget of ${boxes} boxes are ${reason === undefined ? 'accepted' : 'refused'}`, () =>
      assert.equal(judge(bytes, { boxes, tracks: new Set([1, 2]) }), reason));
  }
});
