// A WebP: a RIFF form as long as the file, and one picture or an animation, each of the size that its header announces.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { corrupt, proved } from '../../../src/proof.ts';
import { proveWebp, readRiffChunks } from '../../../src/proofs/images/webp.ts';
import { assertDamageIsBounded, assertNoCutIsProved, proofOf } from '../../helpers/assert-proofs.ts';
import { inMemory, joined, patched, picture, u32le, uncopied } from '../../helpers/media-files.ts';
import {
  animation,
  extended,
  flags,
  frame,
  lossless,
  lossy,
  riffChunk,
  sized,
  type WebpChunk,
  webp,
} from '../../helpers/webp-builder.ts';

const two = { width: 2, height: 2 };
const small = lossless(2, 2);
const smallLossy = lossy(2, 2);
const canvas = extended(2, 2);
const moving = extended(2, 2, flags.animation);
const alpha: WebpChunk = ['ALPH', Buffer.alloc(4)];
const exif: WebpChunk = ['EXIF', Buffer.from('MM\0*')];
const profile: WebpChunk = ['ICCP', Buffer.alloc(4)];
const unknown: WebpChunk = ['note', Buffer.from('words')];

function many(count: number, chunk: WebpChunk): Buffer {
  const bytes = riffChunk(...chunk);
  return Buffer.alloc(count * bytes.length, bytes);
}

describe('a whole WebP', () => {
  for (const name of ['lossy', 'lossy-with-alpha', 'lossless', 'animated', 'from-a-phone']) {
    it(`a WebP of a real encoder is proved with its size: ${name}`, () =>
      assert.deepEqual(
        proofOf(proveWebp, picture(`sharp-${name}.webp`)),
        proved('image/webp', { width: 24, height: 16 }),
      ));
  }

  for (const [what, bytes, size = two] of [
    ['lossless', webp(small)],
    ['lossless and of the largest size', webp(lossless(16_384, 16_384)), { width: 16_384, height: 16_384 }],
    ['lossless, wider than high', webp(lossless(16_384, 3)), { width: 16_384, height: 3 }],
    ['lossless, higher than wide', webp(lossless(3, 16_384)), { width: 3, height: 16_384 }],
    ['lossy', webp(smallLossy)],
    ['lossy and of the largest size', webp(lossy(16_383, 16_383)), { width: 16_383, height: 16_383 }],
    ['lossy, wider than high, scaled by a decoder', webp(lossy(0x4000 | 7, 0xc000 | 3)), { width: 7, height: 3 }],
    ['lossy, of version 3', webp(lossy(2, 2, { version: 3 }))],
    ['lossy, with a first part of no bytes', webp(lossy(2, 2, { partition: 0 }))],
    ['extended and lossless', webp(canvas, small)],
    ['extended and lossy', webp(canvas, smallLossy)],
    ['extended, with alpha beside a lossy picture', webp(canvas, alpha, smallLossy)],
    ['extended, with a profile', webp(canvas, profile, small)],
    ['extended, with metadata and unknown chunks anywhere', webp(canvas, unknown, profile, exif, small, unknown, exif)],
    ['extended, with XMP as ImageMagick 6 names it', webp(canvas, small, ['XMP\0', Buffer.from('words')])],
    ['extended, wider than high', webp(extended(16_384, 3), lossless(16_384, 3)), { width: 16_384, height: 3 }],
    ['animated', webp(moving, animation, frame(two, small))],
    [
      'animated, with a profile and lossy frames',
      webp(moving, profile, animation, frame(two, alpha, smallLossy), frame(two, smallLossy)),
    ],
    [
      'animated, with a frame in a corner',
      webp(extended(9, 7, flags.animation), animation, frame({ x: 4, y: 2, width: 5, height: 5 }, lossless(5, 5))),
      { width: 9, height: 7 },
    ],
    ['animated, with an unknown chunk in a frame', webp(moving, animation, frame(two, unknown, small, unknown))],
    [
      'animated, with the largest canvas',
      webp(extended(2 ** 24, 255, flags.animation), animation, frame(two, small)),
      { width: 2 ** 24, height: 255 },
    ],
    [
      'animated, with a canvas of 2^32 - 1 pixels',
      webp(extended(65_535, 65_537, flags.animation), animation, frame(two, small)),
      { width: 65_535, height: 65_537 },
    ],
    ['lossless, in six bytes', webp(['VP8L', small[1].subarray(0, 6)])],
    ['of an odd chunk with its padding', webp(canvas, ['note', Buffer.alloc(3)], small)],
  ] as [string, Buffer, { width: number; height: number }?][]) {
    it(`a WebP is proved: ${what}`, () => assert.deepEqual(proofOf(proveWebp, bytes), proved('image/webp', size)));
  }

  it('a WebP is proved with 20,000 frames, and with no frame more', () => {
    const of = (count: number) => uncopied(sized(joined(webp(moving, animation), many(count, frame(two, small)))));
    assert.deepEqual(proveWebp(of(20_000)), proved('image/webp', two));
    assert.deepEqual(proveWebp(of(20_001)), corrupt('image/webp', '20001 frames'));
  });

  it('a WebP is proved with 25,000 chunks, and with no chunk more', () => {
    const of = (count: number) =>
      uncopied(sized(joined(webp(canvas, small), many(count - 2, ['note', Buffer.alloc(0)]))));
    assert.deepEqual(proveWebp(of(25_000)), proved('image/webp', two));
    assert.deepEqual(proveWebp(of(25_001)), corrupt('image/webp', 'too many chunks'));
  });
});

describe('a broken WebP', () => {
  const simple = webp(smallLossy);
  const inFrame = (data: Buffer) => webp(moving, animation, ['ANMF', data]);
  const [, framed] = frame(two, small);
  for (const [what, bytes, reason] of [
    [
      'a RIFF size two too small',
      patched(simple, 4, u32le(simple.length - 10)),
      'the RIFF size is not the size of the file',
    ],
    [
      'a RIFF size two too large',
      patched(simple, 4, u32le(simple.length - 6)),
      'the RIFF size is not the size of the file',
    ],
    ['a RIFF size of 4 GiB', patched(simple, 4, u32le(0xffffffff)), 'the RIFF size is not the size of the file'],
    ['a byte after the form', joined(simple, [0]), 'the RIFF size is not the size of the file'],
    ['no chunk', webp(), 'no chunk'],
    ['half a chunk head', sized(joined(simple, 'note\0\0\0')), 'truncated before a chunk'],
    ['a page after the picture, counted in', sized(joined(webp(canvas, small), '<html>')), 'truncated before a chunk'],
    [
      'a longer page after the picture, counted in',
      sized(joined(webp(canvas, small), '<script>alert(1)</script>')),
      'chunk <scr extends past its container',
    ],
    ['a chunk without a name', webp(canvas, small, ['\0\0\0\0', Buffer.alloc(4)]), 'no chunk at 46'],
    [
      'a chunk with a control character in its name',
      webp(canvas, small, ['ab\x1fd', Buffer.alloc(4)]),
      'no chunk at 46',
    ],
    [
      'a chunk with a letter beyond ASCII in its name',
      webp(canvas, small, ['ab\x7fd', Buffer.alloc(4)]),
      'no chunk at 46',
    ],
    ['a chunk longer than the file', patched(simple, 16, u32le(99)), 'chunk VP8  extends past its container'],
    [
      'an odd chunk without its padding',
      sized(webp(canvas, ['note', Buffer.alloc(3)]).subarray(0, -1)),
      'chunk note extends past its container',
    ],
    ['an unknown chunk first', webp(unknown, small), 'begins with note'],
    ['metadata first', webp(exif, small), 'begins with EXIF'],
    ['metadata after a simple picture', webp(small, exif), 'chunks after a simple picture'],
    ['two simple pictures', webp(small, small), 'chunks after a simple picture'],
    ['a canvas after a simple picture', webp(small, canvas), 'chunks after a simple picture'],
    ['a VP8L without its mark', webp(lossless(2, 2, { mark: 0 })), 'wrong VP8L header'],
    ['a VP8L of five bytes', webp(['VP8L', small[1].subarray(0, 5)]), 'wrong VP8L header'],
    ['a VP8L of version 1', webp(lossless(2, 2, { version: 1 })), 'unknown VP8L version'],
    ['a VP8L of version 4', webp(lossless(2, 2, { version: 4 })), 'unknown VP8L version'],
    ['a VP8 without its start code', webp(lossy(2, 2, { startCode: '9d012b' })), 'wrong VP8 header'],
    ['a VP8 of nine bytes', webp(['VP8 ', smallLossy[1].subarray(0, 9)]), 'wrong VP8 header'],
    ['an empty VP8', webp(['VP8 ', Buffer.alloc(0)]), 'wrong VP8 header'],
    ['a VP8 frame that needs another', webp(lossy(2, 2, { isKeyFrame: false })), 'wrong VP8 frame tag'],
    ['a VP8 frame that is not shown', webp(lossy(2, 2, { isShown: false })), 'wrong VP8 frame tag'],
    ['a VP8 frame of version 4', webp(lossy(2, 2, { version: 4 })), 'wrong VP8 frame tag'],
    ['a VP8 part that is longer than the chunk', webp(lossy(2, 2, { partition: 5 })), 'wrong VP8 frame tag'],
    ['a VP8 without width', webp(lossy(0, 2)), 'no width or height'],
    ['a VP8 without height', webp(lossy(2, 0)), 'no width or height'],
    ['a canvas of nine bytes', webp(['VP8X', Buffer.alloc(9)], small), 'wrong VP8X'],
    ['a canvas of eleven bytes', webp(['VP8X', Buffer.alloc(11)], small), 'wrong VP8X'],
    ['a canvas of more than 2^32 pixels', webp(extended(2 ** 24, 257), small), 'canvas of more than 2^32 pixels'],
    ['two canvases', webp(canvas, canvas, small), 'two VP8X'],
    ['two profiles', webp(canvas, profile, profile, small), 'two ICCP'],
    ['two announcements of an animation', webp(moving, animation, animation, frame(two, small)), 'two ANIM'],
    ['a profile after the picture', webp(canvas, small, profile), 'chunks out of order'],
    [
      'a profile after the announcement of an animation',
      webp(moving, animation, profile, frame(two, small)),
      'chunks out of order',
    ],
    ['alpha after the picture', webp(canvas, smallLossy, alpha), 'chunks out of order'],
    ['no picture', webp(canvas, exif), 'no picture'],
    ['only alpha', webp(canvas, alpha), 'no picture'],
    ['two pictures', webp(canvas, small, small), 'more than one picture'],
    ['a lossy and a lossless picture', webp(canvas, smallLossy, small), 'more than one picture'],
    ['alpha beside a picture that has its own', webp(canvas, alpha, small), 'more than one picture'],
    ['two lossy pictures', webp(canvas, smallLossy, smallLossy), 'more than one picture'],
    [
      'an announcement of an animation beside a still picture',
      webp(canvas, animation, smallLossy),
      'more than one picture',
    ],
    ['two alphas', webp(canvas, alpha, alpha, smallLossy), 'more than one picture'],
    ['a picture wider than its canvas', webp(canvas, lossless(3, 2)), 'the picture does not have the announced size'],
    ['a picture higher than its canvas', webp(canvas, lossless(2, 3)), 'the picture does not have the announced size'],
    ['a broken picture on a canvas', webp(canvas, lossless(2, 2, { mark: 0 })), 'wrong VP8L header'],
    ['an animation without its announcement', webp(moving, frame(two, small)), 'animation without ANIM'],
    [
      'an announcement of five bytes',
      webp(moving, ['ANIM', Buffer.alloc(5)], frame(two, small)),
      'animation without ANIM',
    ],
    ['an animation without frames', webp(moving, animation), '0 frames'],
    ['an animation that the canvas does not announce', webp(canvas, animation, frame(two, small)), 'no picture'],
    ['a still picture announced as animation', webp(moving, small), 'animation without ANIM'],
    ['a still picture in an animation', webp(moving, animation, frame(two, small), small), 'VP8L in an animation'],
    ['a frame wider than the canvas', webp(moving, animation, frame({ width: 3 }, small)), 'frame outside the canvas'],
    [
      'a frame higher than the canvas',
      webp(moving, animation, frame({ height: 3 }, small)),
      'frame outside the canvas',
    ],
    [
      'a frame that reaches over the right border',
      webp(extended(9, 9, flags.animation), animation, frame({ x: 6, width: 5, height: 5 }, lossless(5, 5))),
      'frame outside the canvas',
    ],
    [
      'a frame that reaches over the lower border',
      webp(extended(9, 9, flags.animation), animation, frame({ y: 6, width: 5, height: 5 }, lossless(5, 5))),
      'frame outside the canvas',
    ],
    ['a frame right of the canvas', webp(moving, animation, frame({ x: 2 }, small)), 'frame outside the canvas'],
    ['a frame below the canvas', webp(moving, animation, frame({ y: 2 }, small)), 'frame outside the canvas'],
    [
      'a frame with a picture larger than it says',
      webp(moving, animation, frame(two, lossless(9, 9))),
      'the picture does not have the announced size',
    ],
    ['a frame without a picture', webp(moving, animation, frame(two)), 'no picture'],
    ['a frame in a frame', webp(moving, animation, frame(two, frame(two, small))), 'no picture'],
    ['a second frame that is broken', webp(moving, animation, frame(two, small), frame(two)), 'no picture'],
    ['a frame of 15 bytes', inFrame(Buffer.alloc(15)), 'wrong ANMF'],
    [
      'a frame whose part is longer than it',
      inFrame(patched(framed, 20, u32le(0xffff))),
      'chunk VP8L extends past its container',
    ],
    ['a frame with half a chunk head', inFrame(joined(framed, 'note\0\0\0')), 'truncated before a chunk'],
  ] as const) {
    it(`a WebP is refused: ${what}`, () => assert.deepEqual(proofOf(proveWebp, bytes), corrupt('image/webp', reason)));
  }

  it('a WebP is refused when it is cut anywhere, also with a corrected size', () => {
    for (const bytes of [
      webp(canvas, profile, alpha, smallLossy),
      webp(moving, animation, frame(two, alpha, smallLossy)),
    ]) {
      assertNoCutIsProved(proveWebp, bytes);
      for (let length = 12; length < bytes.length; length++)
        assert.equal(proofOf(proveWebp, sized(bytes.subarray(0, length)))?.kind, 'corrupt', `${length}`);
    }
  });

  it('a WebP is proved or refused, in a bounded number of reads, when bytes are damaged', () => {
    assertDamageIsBounded(proveWebp, webp(canvas, profile, alpha, smallLossy, exif));
    assertDamageIsBounded(proveWebp, webp(moving, animation, frame(two, alpha, smallLossy), frame(two, small)));
  });
});

describe('another file', () => {
  for (const [what, bytes] of [
    ['an empty file', Buffer.alloc(0)],
    ['sound in a RIFF form', joined('RIFF', u32le(4), 'WAVE')],
    ['another form', joined('RIFX', u32le(4), 'WEBP')],
    ['a form that is cut in its name', joined('RIFF', u32le(4), 'WEB')],
  ] as const) {
    it(`a file is not taken for a WebP: ${what}`, () => assert.equal(proofOf(proveWebp, bytes), undefined));
  }
});

describe('the chunks of a RIFF form', () => {
  const bytes = joined('before', riffChunk('odd ', Buffer.alloc(3)), riffChunk('even', Buffer.alloc(2)), 'after');

  it('the chunks of a RIFF form are listed with their places, up to where they should end', () => {
    assert.deepEqual(readRiffChunks(inMemory(bytes), 6, 28), [
      { type: 'odd ', start: 6, dataStart: 14, length: 3, end: 18 },
      { type: 'even', start: 18, dataStart: 26, length: 2, end: 28 },
    ]);
    assert.deepEqual(readRiffChunks(inMemory(bytes), 28, 28), []);
  });

  it('the chunks of a RIFF form are refused if they end elsewhere', () => {
    assert.equal(readRiffChunks(inMemory(bytes), 6, 27), 'chunk even extends past its container');
    assert.equal(readRiffChunks(inMemory(bytes), 6, 29), 'truncated before a chunk');
  });
});
