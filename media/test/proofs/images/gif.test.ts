// A GIF: a screen, blocks and chains of sub-blocks that are whole, frames inside the screen, and a trailer as the last byte.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { corrupt, proved } from '../../../src/proof.ts';
import { proveGif } from '../../../src/proofs/images/gif.ts';
import { assertDamageIsBounded, assertNoCutIsProved, proofOf } from '../../helpers/assert-proofs.ts';
import {
  comment,
  control,
  extension,
  frame,
  gif,
  loop,
  pixel,
  screen,
  subBlocks,
  trailer,
} from '../../helpers/gif-builder.ts';
import { inMemory, joined, picture, replaced, uncopied } from '../../helpers/media-files.ts';

const one = { width: 1, height: 1 };
/** A screen of 1 by 1 with its colours, after which the blocks begin. */
const blocksAt = 19;

function onScreen(width: number, height: number, ...blocks: Buffer[]): Buffer {
  return joined(screen(width, height), ...blocks, trailer);
}

describe('a whole GIF', () => {
  for (const name of ['sharp-still.gif', 'sharp-animated.gif', 'sharp-interlaced.gif']) {
    it(`a GIF of a real encoder is proved with its size: ${name}`, () =>
      assert.deepEqual(proofOf(proveGif, picture(name)), proved('image/gif', { width: 24, height: 16 })));
  }

  for (const [what, bytes, size = one] of [
    ['one frame', gif(pixel)],
    ['the version 87a', replaced(gif(pixel), '89a', '87a')],
    ['the largest screen', onScreen(65_535, 65_535, pixel), { width: 65_535, height: 65_535 }],
    ['a screen wider than high', onScreen(7, 3, pixel), { width: 7, height: 3 }],
    ['no global colours', joined(screen(1, 1, 'none'), pixel, trailer)],
    ['256 global colours', joined(screen(1, 1, 7), pixel, trailer)],
    ['256 local colours', gif(frame({ table: 7 }))],
    ['two local colours', gif(frame({ table: 0 }), pixel)],
    ['a frame that fills the screen', onScreen(7, 3, frame({ width: 7, height: 3 })), { width: 7, height: 3 }],
    ['a frame in the last corner', onScreen(7, 3, frame({ x: 6, y: 2 })), { width: 7, height: 3 }],
    ['the smallest LZW code size', gif(frame({ codeSize: 1 }))],
    ['the largest LZW code size', gif(frame({ codeSize: 11 }))],
    ['a frame wider than the screen', gif(frame({ width: 2 })), { width: 2, height: 1 }],
    ['a frame higher than the screen', gif(frame({ height: 2 })), { width: 1, height: 2 }],
    ['a frame right of the screen', gif(frame({ x: 1 })), { width: 2, height: 1 }],
    ['a frame below the screen', gif(frame({ y: 1 })), { width: 1, height: 2 }],
    ['a small frame after a large one', gif(frame({ width: 5, height: 4 }), pixel), { width: 5, height: 4 }],
    [
      'a frame of 65,535 by 65,535 on a small screen',
      gif(frame({ width: 65_535, height: 65_535 })),
      { width: 65_535, height: 65_535 },
    ],
    ['a frame of several sub-blocks', gif(frame({}, subBlocks([1], [2, 3], Buffer.alloc(255))))],
    [
      'graphic control, comment, plain text and a loop',
      gif(loop, control, comment, extension(0x01, Buffer.alloc(12), 'words'), pixel),
    ],
    ['an empty comment', gif(extension(0xfe), pixel)],
    ['an extension with an unknown label', gif(extension(0x77, 'words'), pixel)],
    ['extensions after the last frame', gif(pixel, comment)],
    ['a chain of sub-blocks longer than one read', gif(extension(0xfe, ...Array(40).fill(Buffer.alloc(255))), pixel)],
    [
      'a frame whose data are longer than one read',
      gif(frame({}, subBlocks(...Array(40).fill(Buffer.alloc(255)))), comment),
    ],
  ] as [string, Buffer, { width: number; height: number }?][]) {
    it(`a GIF is proved: ${what}`, () => assert.deepEqual(proofOf(proveGif, bytes), proved('image/gif', size)));
  }

  it('a GIF is proved whatever the length of its chains of sub-blocks', () => {
    for (let length = 4_080; length < 4_110; length++) {
      const blocks = [...Array(15).fill(Buffer.alloc(255)), 'half', Buffer.alloc(length - 15 * 256 - 100)];
      assert.deepEqual(
        proofOf(proveGif, gif(extension(0xfe, ...blocks), pixel)),
        proved('image/gif', one),
        `${length}`,
      );
    }
  });

  it('a block of a GIF is read once', () => {
    const file = inMemory(gif(...Array<Buffer>(100).fill(comment), pixel));
    let reads = 0;
    const read = (position: number, length: number) => {
      reads += 1;
      return file.read(position, length);
    };
    assert.deepEqual(proveGif({ size: file.size, read }), proved('image/gif', one));
    // The signature, the screen and its flags, the blocks, and the trailer.
    assert.equal(reads, 3 + 101 + 1);
  });

  it('a GIF is proved with 20,000 frames, and with no frame more', () => {
    const of = (frames: number) => uncopied(gif(Buffer.alloc(frames * pixel.length, pixel)));
    assert.deepEqual(proveGif(of(20_000)), proved('image/gif', one));
    assert.deepEqual(proveGif(of(20_001)), corrupt('image/gif', 'too many frames or blocks'));
  });

  it('a GIF is proved with 99,999 blocks, and with no block more', () => {
    const empty = extension(0xfe);
    const of = (blocks: number) => uncopied(gif(pixel, Buffer.alloc((blocks - 1) * empty.length, empty)));
    assert.deepEqual(proveGif(of(99_999)), proved('image/gif', one));
    assert.deepEqual(proveGif(of(100_000)), corrupt('image/gif', 'too many frames or blocks'));
  });
});

describe('a broken GIF', () => {
  const after = (...blocks: Buffer[]) => blocksAt + joined(...blocks).length;
  for (const [what, bytes, reason] of [
    ['no width', onScreen(0, 1, pixel), 'wrong logical screen'],
    ['no height', onScreen(1, 0, pixel), 'wrong logical screen'],
    ['cut in the screen', gif(pixel).subarray(0, 12), 'wrong logical screen'],
    ['nothing but a screen', screen(1, 1), `truncated before a block at ${blocksAt}`],
    ['cut in the global colours', screen(1, 1, 7).subarray(0, -1), `truncated before a block at ${13 + 768}`],
    ['no frame', gif(), 'no frame'],
    ['only a comment', gif(comment), 'no frame'],
    ['no trailer', joined(screen(1, 1), pixel), `truncated before a block at ${after(pixel)}`],
    ['a byte after the trailer', joined(gif(pixel), [0]), '1 bytes after the end'],
    ['a second trailer', joined(gif(pixel), trailer), '1 bytes after the end'],
    ['a script after the trailer', joined(gif(pixel), '*/=1;alert(1)//'), '15 bytes after the end'],
    ['an unknown block', gif(joined([0x42]), pixel), `unknown block 42 at ${blocksAt}`],
    ['a zero between blocks', gif(pixel, joined([0]), pixel), `unknown block 0 at ${after(pixel)}`],
    [
      'an archive in the place of a block',
      joined(screen(1, 1), 'PK\x03\x04', trailer),
      `unknown block 50 at ${blocksAt}`,
    ],
    [
      'cut after the mark of an extension',
      joined(screen(1, 1), pixel, [0x21]),
      `extension is truncated at ${after(pixel)}`,
    ],
    [
      'cut after the label of an extension',
      joined(screen(1, 1), pixel, [0x21, 0xfe]),
      `extension is truncated at ${after(pixel)}`,
    ],
    [
      'graphic control of five bytes',
      gif(extension(0xf9, Buffer.alloc(5)), pixel),
      `extension f9 with a wrong length at ${blocksAt}`,
    ],
    [
      'graphic control of three bytes',
      gif(extension(0xf9, Buffer.alloc(3)), pixel),
      `extension f9 with a wrong length at ${blocksAt}`,
    ],
    ['empty graphic control', gif(extension(0xf9), pixel), `extension f9 with a wrong length at ${blocksAt}`],
    [
      'graphic control with a second sub-block',
      gif(extension(0xf9, [0, 10, 0, 0], 'AA'), pixel),
      `wrong graphic control at ${blocksAt}`,
    ],
    [
      'an application extension of three bytes',
      gif(extension(0xff, 'ABC'), pixel),
      `extension ff with a wrong length at ${blocksAt}`,
    ],
    [
      'a plain text of four bytes',
      gif(extension(0x01, 'ABCD'), pixel),
      `extension 1 with a wrong length at ${blocksAt}`,
    ],
    ['cut in the head of a frame', joined(screen(1, 1), pixel.subarray(0, 9)), `frame is truncated at ${blocksAt}`],
    [
      'cut before the code size',
      joined(screen(1, 1), pixel.subarray(0, 10)),
      `frame with a wrong LZW code size at ${blocksAt}`,
    ],
    [
      'cut in the local colours',
      joined(screen(1, 1), frame({ table: 7 }).subarray(0, 500)),
      `frame with a wrong LZW code size at ${blocksAt}`,
    ],
    ['a frame without width', gif(frame({ width: 0 })), `frame without width or height at ${blocksAt}`],
    ['a frame without height', gif(frame({ height: 0 })), `frame without width or height at ${blocksAt}`],
    ['LZW code size 0', gif(frame({ codeSize: 0 })), `frame with a wrong LZW code size at ${blocksAt}`],
    ['LZW code size 12', gif(frame({ codeSize: 12 })), `frame with a wrong LZW code size at ${blocksAt}`],
    ['a frame without data', gif(frame({}, subBlocks())), `frame without data at ${blocksAt}`],
    ['a sub-block longer than the file', gif(frame({}, [255, 0x44, 1, 0])), `sub-blocks without an end at ${blocksAt}`],
    [
      'a chain that ends with the file',
      joined(screen(1, 1), pixel.subarray(0, -1)),
      `sub-blocks without an end at ${blocksAt}`,
    ],
    [
      'a long chain without an end',
      joined(screen(1, 1), pixel.subarray(0, -1), Buffer.alloc(9_000, Buffer.from([1, 0x41]))),
      `sub-blocks without an end at ${blocksAt}`,
    ],
  ] as const) {
    it(`a GIF is refused: ${what}`, () => assert.deepEqual(proofOf(proveGif, bytes), corrupt('image/gif', reason)));
  }

  it('a GIF is refused when it is cut anywhere', () => {
    assertNoCutIsProved(proveGif, picture('sharp-interlaced.gif'));
    assertNoCutIsProved(proveGif, gif(control, pixel, comment, loop, frame({ table: 0 })));
  });

  it('a GIF is proved or refused, in a bounded number of reads, when bytes are damaged', () =>
    assertDamageIsBounded(proveGif, gif(control, pixel, comment, loop, frame({ table: 0 }))));
});

describe('another file', () => {
  for (const [what, bytes] of [
    ['an empty file', Buffer.alloc(0)],
    ['another version', joined('GIF88a', Buffer.alloc(20))],
    ['a version with another letter', joined('GIF89b', Buffer.alloc(20))],
    ['a signature behind a byte', joined(' ', gif(pixel))],
    ['half a signature', joined('GIF8')],
  ] as const) {
    it(`a file is not taken for a GIF: ${what}`, () => assert.equal(proofOf(proveGif, bytes), undefined));
  }
});
