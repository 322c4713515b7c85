// A PNG: a header that is possible, chunks with correct checksums in a legal order, and an end that ends the file.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { corrupt, proved } from '../../../src/proof.ts';
import { provePng, readPngChunks } from '../../../src/proofs/images/png.ts';
import { assertDamageIsBounded, assertNoCutIsProved, proofOf } from '../../helpers/assert-proofs.ts';
import { hex, inMemory, joined, patched, picture, u32be, uncopied } from '../../helpers/media-files.ts';
import {
  announced,
  chunk,
  end,
  frame,
  frameData,
  grey,
  header,
  indexed,
  type PngChunk,
  pixels,
  png,
  pngSignature,
  text,
} from '../../helpers/png-builder.ts';

const whole = png(grey, pixels, end);
const colours: PngChunk = ['PLTE', '000000'];
const wide = header({ width: 9, height: 7 });
const one = { width: 1, height: 1 };

describe('a whole PNG', () => {
  for (const [name, width = 24, height = 16] of [
    ['sharp-truecolour.png'],
    ['sharp-palette.png'],
    ['sharp-16-bits.png'],
    ['sharp-interlaced.png'],
    ['sharp-from-a-phone.png'],
  ] as [string, number?, number?][]) {
    it(`a PNG of a real encoder is proved with its size: ${name}`, () =>
      assert.deepEqual(proofOf(provePng, picture(name)), proved('image/png', { width, height })));
  }

  const depths: Record<number, number[]> = { 0: [1, 2, 4, 8, 16], 2: [8, 16], 3: [1, 2, 4, 8], 4: [8, 16], 6: [8, 16] };
  for (let colour = 0; colour <= 7; colour++) {
    const palette = colour === 3 ? [colours] : [];
    const legal = depths[colour] ?? [];
    it(`a PNG is proved of colour type ${colour} with ${legal.length > 0 ? legal.join(', ') : 'no'} bits, and no other depth`, () => {
      for (let depth = 0; depth <= 17; depth++) {
        const proof = proofOf(provePng, png(header({ depth, colour }), ...palette, pixels, end));
        assert.deepEqual(
          proof,
          legal.includes(depth) ? proved('image/png', one) : corrupt('image/png', 'wrong IHDR'),
          `${depth} bits`,
        );
      }
    });
  }

  for (const [what, bytes, size = one] of [
    [
      'of the largest possible size',
      png(header({ width: 2 ** 31 - 1, height: 2 ** 31 - 1 }), pixels, end),
      { width: 2 ** 31 - 1, height: 2 ** 31 - 1 },
    ],
    ['of different width and height', png(wide, pixels, end), { width: 9, height: 7 }],
    ['interlaced', png(header({ rest: '000001' }), pixels, end)],
    [
      'with image data that are spread over chunks, the first empty',
      png(grey, ['IDAT'], ['IDAT', '78'], ['IDAT', '9c6360000000020001'], end),
    ],
    ['with metadata before, between and after', png(grey, text, pixels, text, ['eXIf', '4d4d'], end)],
    ['with an unknown chunk that is not critical', png(grey, ['prVt', '00'], pixels, end)],
    ['with several suggested palettes', png(grey, ['sPLT', '00'], ['sPLT', '00'], pixels, end)],
    [
      'with a palette as large as its depth allows',
      png(header({ depth: 2, colour: 3 }), ['PLTE', Buffer.alloc(12)], pixels, end),
    ],
    ['with a palette of 256 colours', png(indexed, ['PLTE', Buffer.alloc(768)], pixels, end)],
    [
      'of true colours with a palette of 256 suggestions',
      png(header({ colour: 2 }), ['PLTE', Buffer.alloc(768)], pixels, end),
    ],
    ['of true colours and alpha with a palette', png(header({ colour: 6 }), colours, pixels, end)],
    ['with a transparent colour of the palette', png(indexed, colours, ['tRNS', '00'], pixels, end)],
    ['of grey with a transparent grey', png(grey, ['tRNS', '0000'], pixels, end)],
    ['of true colours with a transparent colour', png(header({ colour: 2 }), ['tRNS', '000000000000'], pixels, end)],
    ['with a window of 256 bytes in its zlib stream', png(grey, ['IDAT', '081d6360000000020001'], end)],
    ['animated, the picture being its first frame', png(grey, announced(1), frame(0), pixels, end)],
    ['animated, the picture not being a frame', png(grey, announced(1), pixels, frame(0), frameData(1), end)],
    [
      'animated, with a frame that fills the canvas from a corner',
      png(wide, announced(1), frame(0, { x: 4, y: 5, width: 5, height: 2 }), pixels, end),
      { width: 9, height: 7 },
    ],
    ['animated, with data of a frame of one byte', png(grey, announced(1), pixels, frame(0), frameData(1, '78'), end)],
    [
      'animated, with data of a frame in two chunks',
      png(grey, announced(2), frame(0), pixels, frame(1), frameData(2), frameData(3), end),
    ],
  ] as [string, Buffer, { width: number; height: number }?][]) {
    it(`a PNG is proved: ${what}`, () => assert.deepEqual(proofOf(provePng, bytes), proved('image/png', size)));
  }

  it('a PNG is proved with 20,000 chunks, and with no chunk more', () => {
    const of = (count: number) =>
      uncopied(joined(png(grey), Buffer.alloc(12 * count, chunk('teXt')), chunk(...pixels), chunk(...end)));
    assert.deepEqual(provePng(of(19_997)), proved('image/png', one));
    assert.deepEqual(provePng(of(19_998)), corrupt('image/png', 'too many chunks'));
  });

  it('a PNG is proved with a chunk of any length around the border between two reads', () => {
    for (let length = 65_524; length < 65_540; length++) {
      const bytes = png(grey, ['prVt', Buffer.alloc(length, 'a')], pixels, end);
      assert.deepEqual(proofOf(provePng, bytes), proved('image/png', one), `${length}`);
    }
  });

  it('a PNG is proved with a chunk that is longer than one read', () => {
    const long = chunk('prVt', Buffer.alloc(200_001, 'abc'));
    const of = (middle: Buffer) =>
      Buffer.concat([pngSignature, chunk(...grey), middle, chunk(...pixels), chunk(...end)]);
    assert.deepEqual(proofOf(provePng, of(long)), proved('image/png', one));
    for (const at of [8, 65_544, 70_000, 200_008])
      assert.deepEqual(
        proofOf(provePng, of(patched(long, at, '!'))),
        corrupt('image/png', 'chunk prVt at 33 has a wrong CRC'),
      );
  });
});

describe('a broken PNG', () => {
  const single = 'gAMA cHRM sRGB iCCP cICP mDCV cLLI sBIT bKGD hIST pHYs tRNS'.split(' ');
  const beforePalette = 'gAMA cHRM sRGB iCCP cICP mDCV cLLI sBIT'.split(' ');
  const data = (type: string): PngChunk => [
    type,
    type === 'tRNS' ? '00' : type === 'acTL' ? '0000000100000000' : '0000',
  ];
  const late: PngChunk[] = ['pHYs', 'sPLT', 'acTL', ...beforePalette, 'tRNS', 'bKGD', 'hIST'].map(data);

  const cases: [string, Buffer, string][] = [
    ['without width', png(header({ width: 0 }), pixels, end), 'wrong IHDR'],
    ['without height', png(header({ height: 0 }), pixels, end), 'wrong IHDR'],
    ['of a width of 2^31', png(header({ width: 2 ** 31 }), pixels, end), 'wrong IHDR'],
    ['of a height of 2^31', png(header({ height: 2 ** 31 }), pixels, end), 'wrong IHDR'],
    ['of an unknown compression', png(header({ rest: '010000' }), pixels, end), 'wrong IHDR'],
    ['of an unknown filter', png(header({ rest: '000100' }), pixels, end), 'wrong IHDR'],
    ['of an unknown interlacing', png(header({ rest: '000002' }), pixels, end), 'wrong IHDR'],
    ['with a header of 14 bytes', png(['IHDR', '0000000100000001080000000000'], pixels, end), 'wrong IHDR'],
    ['with a text before the header', png(text, grey, pixels, end), 'wrong IHDR'],
    ["with a phone maker's own chunk before the header", png(['CgBI', '50002002'], grey, pixels, end), 'wrong IHDR'],
    ['cut in the header', whole.subarray(0, 28), 'wrong IHDR'],
    ['with a wrong checksum of the header', patched(whole, 29, [0]), 'chunk IHDR at 8 has a wrong CRC'],
    [
      'with a wrong checksum of the last chunk',
      patched(whole, whole.length - 1, [0]),
      `chunk IEND at ${whole.length - 12} has a wrong CRC`,
    ],
    ['with a changed pixel', patched(whole, 45, [0]), 'chunk IDAT at 33 has a wrong CRC'],
    ['with a chunk of 4 GiB', patched(whole, 33, u32be(0xffffffff)), 'chunk IDAT extends past the end of the file'],
    [
      'with a chunk a byte longer than the file',
      patched(whole, whole.length - 12, u32be(1)),
      'chunk IEND extends past the end of the file',
    ],
    ['with half a chunk head', joined(png(grey, pixels), '\0\0\0\0IEN'), 'truncated before a chunk'],
    ['without an end', png(grey, pixels), 'truncated before a chunk'],
    ['with a chunk whose reserved bit is set', png(grey, ['abcd', '00'], pixels, end), 'no chunk at 33'],
    ['with a chunk without a name', png(grey, ['\0\0\0\0', '00'], pixels, end), 'no chunk at 33'],
    ['with a chunk with a digit in its name', png(grey, ['te0t', '00'], pixels, end), 'no chunk at 33'],
    ['with a byte after the end', joined(whole, [0]), '1 bytes after the end'],
    ['with a page after the end', joined(whole, '<html>'), '6 bytes after the end'],
    ['with a second end', png(grey, pixels, end, end), '12 bytes after the end'],
    ['with an unknown critical chunk', png(grey, ['EVIL', '00'], pixels, end), 'unknown critical chunk EVIL'],
    [
      'with an unknown critical chunk in small letters',
      png(grey, ['EvIl', '00'], pixels, end),
      'unknown critical chunk EvIl',
    ],
    ['with two headers', png(grey, wide, pixels, end), 'IHDR out of order'],
    ['without image data', png(grey, end), 'no image data'],
    ['with image data in two places', png(grey, pixels, text, pixels, end), 'image data in two places'],
    ['with an end that is not empty', png(grey, pixels, ['IEND', '00']), 'IEND is not empty'],
    ['with image data without a stream', png(grey, ['IDAT'], end), 'image data is not a zlib stream'],
    ['with image data of one byte', png(grey, ['IDAT', '78'], end), 'image data is not a zlib stream'],
    [
      'with image data that are an archive',
      png(grey, ['IDAT', '504b030414000000'], end),
      'image data is not a zlib stream',
    ],
    ['with image data that are not deflated', png(grey, ['IDAT', '7709'], end), 'image data is not a zlib stream'],
    ['with a window of 64 KiB', png(grey, ['IDAT', '881c'], end), 'image data is not a zlib stream'],
    ['with a preset dictionary', png(grey, ['IDAT', '78f9'], end), 'image data is not a zlib stream'],
    [
      'with a wrong checksum behind its pixels',
      png(grey, ['IDAT', '789c6360000000020002'], end),
      'image data does not unpack',
    ],
    ['with pixels that are missing', png(wide, ['IDAT', '789c6360000000020001'], end), 'too few pixels'],
    ['with a wrong checksum of the zlib header', png(grey, ['IDAT', '789d'], end), 'image data is not a zlib stream'],
    ['indexed without a palette', png(indexed, pixels, end), 'no palette'],
    ['with an empty palette', png(indexed, ['PLTE'], pixels, end), 'palette with a wrong length'],
    [
      'with a palette of 257 colours',
      png(indexed, ['PLTE', Buffer.alloc(771)], pixels, end),
      'palette with a wrong length',
    ],
    [
      'of true colours with a palette of 257',
      png(header({ colour: 2 }), ['PLTE', Buffer.alloc(771)], pixels, end),
      'palette with a wrong length',
    ],
    [
      'with a palette of a colour and a third',
      png(indexed, ['PLTE', '00000000'], pixels, end),
      'palette with a wrong length',
    ],
    [
      'with a palette larger than its depth allows',
      png(header({ depth: 1, colour: 3 }), ['PLTE', Buffer.alloc(9)], pixels, end),
      'palette with a wrong length',
    ],
    ['of grey with a palette', png(grey, colours, pixels, end), 'palette in a grey image'],
    ['of grey and alpha with a palette', png(header({ colour: 4 }), colours, pixels, end), 'palette in a grey image'],
    ['with a palette after the image', png(header({ colour: 2 }), pixels, colours, end), 'PLTE after the image data'],
    ['with two palettes', png(indexed, colours, colours, pixels, end), 'two PLTE'],
    ['with two Exif chunks', png(grey, ['eXIf', '4d4d'], ['eXIf', '4d4d'], pixels, end), 'two eXIf'],
    ['with two times', png(grey, ['tIME', '00'], pixels, ['tIME', '00'], end), 'two tIME'],
    ['with two animations', png(grey, announced(1), announced(1), frame(0), pixels, end), 'two acTL'],
    [
      'with more transparency than palette',
      png(indexed, colours, ['tRNS', '0000'], pixels, end),
      'tRNS with a wrong length',
    ],
    ['with an empty transparency', png(indexed, colours, ['tRNS'], pixels, end), 'tRNS with a wrong length'],
    [
      'of grey with the transparency of colours',
      png(grey, ['tRNS', '000000000000'], pixels, end),
      'tRNS with a wrong length',
    ],
    [
      'of true colours with the transparency of grey',
      png(header({ colour: 2 }), ['tRNS', '0000'], pixels, end),
      'tRNS with a wrong length',
    ],
    [
      'of 16 bits with a palette of 257',
      png(header({ colour: 2, depth: 16 }), ['PLTE', Buffer.alloc(771)], pixels, end),
      'palette with a wrong length',
    ],
    [
      'with the transparency of colours beside alpha',
      png(header({ colour: 6 }), ['tRNS', '000000000000'], pixels, end),
      'tRNS with a wrong length',
    ],
    [
      'of grey and alpha with the transparency of colours',
      png(header({ colour: 4 }), ['tRNS', '000000000000'], pixels, end),
      'tRNS with a wrong length',
    ],
    [
      'with transparency beside alpha',
      png(header({ colour: 6 }), ['tRNS', '0000'], pixels, end),
      'tRNS with a wrong length',
    ],
    [
      'of grey and alpha with transparency',
      png(header({ colour: 4 }), ['tRNS', '0000'], pixels, end),
      'tRNS with a wrong length',
    ],
    ...late.map((piece): [string, Buffer, string] => [
      `with ${piece[0]} after the image`,
      png(grey, pixels, piece, end),
      `${piece[0]} after the image data`,
    ]),
    ...beforePalette.map((type): [string, Buffer, string] => [
      `with ${type} after the palette`,
      png(indexed, colours, data(type), pixels, end),
      `${type} after the palette`,
    ]),
    ...['tRNS', 'bKGD', 'hIST'].map((type): [string, Buffer, string] => [
      `with ${type} before the palette`,
      png(header({ colour: 2 }), [type, type === 'tRNS' ? '000000000000' : '00'], colours, pixels, end),
      'late palette',
    ]),
    ...single.map((type): [string, Buffer, string] => [
      `with two ${type}`,
      type === 'tRNS'
        ? png(indexed, colours, data(type), data(type), pixels, end)
        : png(grey, data(type), data(type), pixels, end),
      `two ${type}`,
    ]),
  ];
  for (const [what, bytes, reason] of cases)
    it(`a PNG is refused: ${what}`, () => assert.deepEqual(proofOf(provePng, bytes), corrupt('image/png', reason)));

  for (const [what, chunks, reason] of [
    ['with a frame and no animation', [frame(0), pixels], 'fcTL without acTL'],
    ['with data of a frame and no animation', [pixels, frameData(0)], 'fdAT without acTL'],
    ['animated with no frames', [announced(0), pixels], 'animation without frames'],
    ['animated with more frames than it has', [announced(2), frame(0), pixels], 'the frame count differs from acTL'],
    [
      'animated with fewer frames than it has',
      [announced(1), frame(0), pixels, frame(1), frameData(2)],
      'the frame count differs from acTL',
    ],
    ['with an announcement of 7 bytes', [['acTL', '00000001000000'], frame(0), pixels], 'wrong acTL'],
    ['with an announcement of 9 bytes', [['acTL', '000000010000000000'], frame(0), pixels], 'wrong acTL'],
    ['with a first frame that is not number 0', [announced(1), frame(7), pixels], 'frames out of sequence'],
    ['with a number that repeats', [announced(2), frame(0), pixels, frame(0), frameData(1)], 'frames out of sequence'],
    ['with data of a frame out of sequence', [announced(1), pixels, frame(0), frameData(2)], 'frames out of sequence'],
    ['with data before their frame', [announced(1), pixels, frameData(0), frame(1)], 'fdAT without a frame'],
    ['with data of a frame before the picture', [announced(1), frame(0), frameData(1), pixels], 'fdAT without a frame'],
    ['with a frame of 25 bytes', [announced(1), ['fcTL', Buffer.alloc(25)], pixels], 'wrong fcTL'],
    ['with a frame of 27 bytes', [announced(1), ['fcTL', Buffer.alloc(27)], pixels], 'wrong fcTL'],
    [
      'with data of a frame that are only a number',
      [announced(1), pixels, frame(0), ['fdAT', '00000001']],
      'wrong fdAT',
    ],
    ['with a frame wider than the canvas', [announced(1), frame(0, { width: 10 }), pixels], 'frame outside the canvas'],
    [
      'with a frame higher than the canvas',
      [announced(1), frame(0, { height: 8 }), pixels],
      'frame outside the canvas',
    ],
    [
      'with a frame that begins too far right',
      [announced(1), frame(0, { width: 5, x: 5 }), pixels],
      'frame outside the canvas',
    ],
    [
      'with a frame that begins too far down',
      [announced(1), frame(0, { height: 5, y: 3 }), pixels],
      'frame outside the canvas',
    ],
    ['with a frame without width', [announced(1), frame(0, { width: 0 }), pixels], 'frame outside the canvas'],
    ['with a frame without height', [announced(1), frame(0, { height: 0 }), pixels], 'frame outside the canvas'],
  ] as [string, PngChunk[], string][]) {
    it(`a PNG is refused: ${what}`, () =>
      assert.deepEqual(proofOf(provePng, png(wide, ...chunks, end)), corrupt('image/png', reason)));
  }

  it('a PNG is refused when it is cut anywhere', () => assertNoCutIsProved(provePng, picture('sharp-palette.png')));

  it('a PNG is proved or refused, in a bounded number of reads, when bytes are damaged', () =>
    assertDamageIsBounded(provePng, png(wide, announced(1), colours, frame(0), pixels, text, end)));
});

describe('another file', () => {
  for (const [what, bytes] of [
    ['if it is empty', Buffer.alloc(0)],
    ['if it ends in the signature', pngSignature.subarray(0, 7)],
    ['if line ends were changed on the way', hex('89504e470a1a0a0a')],
  ] as const)
    it(`a file is not taken for a PNG ${what}`, () => assert.equal(proofOf(provePng, bytes), undefined));
});

describe('the chunks of a PNG', () => {
  it('the chunks of a PNG are listed with their places', () => {
    assert.deepEqual(readPngChunks(inMemory(png(grey, text, pixels, end))), [
      { type: 'IHDR', start: 8, dataStart: 16, length: 13, end: 33 },
      { type: 'tEXt', start: 33, dataStart: 41, length: 3, end: 48 },
      { type: 'IDAT', start: 48, dataStart: 56, length: 12, end: 72 },
      { type: 'IEND', start: 72, dataStart: 80, length: 0, end: 84 },
    ]);
  });

  it('the chunks of a PNG are not listed if one is broken', () =>
    assert.equal(readPngChunks(inMemory(png(grey, text, pixels))), 'truncated before a chunk'));
});
