// A stripped PNG: the chunks of the picture, its colours and its animation, and the orientation. No other chunk.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { rounds, seed } from '../../../test/helpers/faults/rounds.ts';
import { writeOrientation } from '../../src/exif.ts';
import { provePng } from '../../src/proofs/images/png.ts';
import { editPng } from '../../src/strip/png.ts';
import { proofOf } from '../helpers/assert-proofs.ts';
import { hex, inMemory, joined, picture } from '../helpers/media-files.ts';
import { announced, end, frame, frameData, grey, header, type PngChunk, pixels, png } from '../helpers/png-builder.ts';
import { edited, strip } from '../helpers/strip.ts';

function stripped(...chunks: PngChunk[]): Buffer {
  const source = png(...chunks);
  assert.equal(proofOf(provePng, source)?.kind, 'proved', 'the source is a whole PNG');
  const result = edited(source, editPng(inMemory(source)));
  assert.deepEqual(strip('image/png', source), result);
  assert.equal(proofOf(provePng, result)?.kind, 'proved', 'the result is a whole PNG');
  assert.deepEqual(editPng(inMemory(result)), [], 'the result is not changed again');
  return result;
}

/** Exif with other entries beside the orientation. */
function camera(orientation: number): PngChunk {
  const entries = joined(hex('010f 0002 00000004 414243 00'), hex('0112 0003 00000001 00'), [orientation], hex('0000'));
  return ['eXIf', joined(hex('4d4d002a00000008 0002'), entries, hex('00000000'))];
}

function minimal(orientation: number): PngChunk {
  return ['eXIf', writeOrientation(orientation)];
}

const indexed = header({ colour: 3 });
const coloured: PngChunk[] = [
  ...['gAMA', 'cHRM', 'sRGB', 'iCCP', 'cICP', 'mDCV', 'cLLI', 'sBIT'].map((type): PngChunk => [type, '0000']),
  ['PLTE', '000000ffffff'],
  ['tRNS', '00'],
  ['bKGD', '00'],
  ['hIST', '00000001'],
  ['pHYs', '00000b1300000b1301'],
  ['sPLT', '00'],
];
const lost = ['tEXt', 'zTXt', 'iTXt', 'tIME', 'prVt', 'caBX', 'dSIG', 'oFFs', 'juMP'];

describe('a stripped PNG', () => {
  it('a stripped PNG keeps the picture, its colours and its animation', () => {
    const chunks: PngChunk[] = [indexed, ...coloured, announced(2), frame(0), pixels, frame(1), frameData(2), end];
    assert.deepEqual(stripped(...chunks), png(...chunks));
  });

  for (const type of lost) {
    it(`a stripped PNG loses ${type}, wherever it is`, () => {
      const secret: PngChunk = [type, Buffer.from('SecretText')];
      assert.deepEqual(stripped(grey, secret, pixels, end), png(grey, pixels, end));
      assert.deepEqual(stripped(grey, pixels, secret, end), png(grey, pixels, end));
    });
  }

  for (let orientation = 2; orientation <= 8; orientation++) {
    it(`a stripped PNG keeps orientation ${orientation} in minimal Exif behind its header`, () => {
      const expected = png(grey, minimal(orientation), pixels, end);
      assert.deepEqual(stripped(grey, camera(orientation), pixels, end), expected);
      assert.deepEqual(stripped(grey, ['tEXt', 'aa'], pixels, camera(orientation), end), expected);
    });
  }

  it('a stripped PNG keeps minimal Exif where it is', () => {
    const chunks = [grey, ['gAMA', '0000'], pixels, minimal(6), end] as const;
    assert.deepEqual(stripped(...chunks), png(...chunks));
  });

  for (const [what, exif] of [
    ['of an upright picture', camera(1)],
    ['that is minimal, of an upright picture', minimal(1)],
    ['without a structure', ['eXIf', '4d4d']],
    ['that is empty', ['eXIf']],
    ['with an orientation of 9', minimal(9)],
  ] as [string, PngChunk][]) {
    it(`a stripped PNG loses Exif ${what}`, () =>
      assert.deepEqual(stripped(grey, exif, pixels, end), png(grey, pixels, end)));
  }

  it('a stripped PNG keeps the orientation of Exif that is longer than is read', () => {
    const long: PngChunk = ['eXIf', joined(camera(6)[1] ?? '', Buffer.alloc(2 ** 20))];
    assert.deepEqual(stripped(grey, long, pixels, end), png(grey, minimal(6), pixels, end));
  });

  for (const name of ['truecolour', 'palette', '16-bits', 'interlaced']) {
    it(`a PNG without metadata is left as it is: ${name}`, () =>
      assert.deepEqual(editPng(inMemory(picture(`sharp-${name}.png`))), []));
  }

  it('a stripped PNG has the chunks that it keeps in the same order, byte for byte', () => {
    const secret = fc.constantFrom(...lost.filter((type) => type !== 'tIME'));
    const kept: PngChunk[] = [indexed, ...coloured, pixels, end];
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: 1, max: kept.length - 1 }), secret), { maxLength: 12 }),
        (inserted) => {
          const noisy = kept.flatMap((piece, at) => [
            ...inserted.filter(([place]) => place === at).map(([, type]): PngChunk => [type, '00']),
            piece,
          ]);
          assert.deepEqual(stripped(...noisy), png(...kept));
        },
      ),
      { numRuns: rounds(60), seed },
    );
  });

  it('a file that is not a PNG is not stripped', () =>
    assert.throws(() => editPng(inMemory(png(grey, pixels))), {
      message: 'Not a proved PNG: truncated before a chunk',
    }));
});
