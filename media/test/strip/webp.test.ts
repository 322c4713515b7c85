// A stripped WebP: the chunks of the picture and its profile, a new size and new flags, and the orientation.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { rounds, seed } from '../../../test/helpers/faults/rounds.ts';
import { writeOrientation } from '../../src/exif.ts';
import { proveWebp } from '../../src/proofs/images/webp.ts';
import { editWebp } from '../../src/strip/webp.ts';
import { proofOf } from '../helpers/assert-proofs.ts';
import { hex, inMemory, joined, picture } from '../helpers/media-files.ts';
import { edited, strip } from '../helpers/strip.ts';
import { animation, extended, flags, frame, lossless, lossy, type WebpChunk, webp } from '../helpers/webp-builder.ts';

const size = { width: 2, height: 2 };
const small = lossless(2, 2);
const profile: WebpChunk = ['ICCP', Buffer.alloc(4)];
const xmp: WebpChunk = ['XMP ', Buffer.from('SecretText')];
const note: WebpChunk = ['note', Buffer.from('SecretText!')];
const alpha: WebpChunk = ['ALPH', Buffer.alloc(4)];
const still = (marks = 0) => extended(2, 2, marks);

/** Exif with other entries beside the orientation. */
function camera(orientation: number): Buffer {
  const entries = joined(hex('010f 0002 00000004 414243 00'), hex('0112 0003 00000001 00'), [orientation], hex('0000'));
  return joined(hex('4d4d002a00000008 0002'), entries, hex('00000000'));
}

const exif = (data: Buffer): WebpChunk => ['EXIF', data];
const minimal = (orientation: number) => exif(writeOrientation(orientation));

function stripped(...chunks: WebpChunk[]): Buffer {
  const source = webp(...chunks);
  assert.equal(proofOf(proveWebp, source)?.kind, 'proved', 'the source is a whole WebP');
  const result = edited(source, editWebp(inMemory(source)));
  assert.deepEqual(strip('image/webp', source), result);
  assert.equal(proofOf(proveWebp, result)?.kind, 'proved', 'the result is a whole WebP');
  assert.deepEqual(editWebp(inMemory(result)), [], 'the result is not changed again');
  return result;
}

describe('a stripped WebP', () => {
  for (const [what, chunks] of [
    ['a simple lossless picture', [small]],
    ['a simple lossy picture', [lossy(2, 2)]],
    ['an extended picture', [still(), small]],
    ['alpha and a profile', [still(flags.alpha | flags.profile), profile, alpha, lossy(2, 2)]],
    ['an animation', [still(flags.animation), animation, frame(size, small), frame(size, alpha, lossy(2, 2))]],
    ['the orientation in minimal Exif', [still(flags.exif), small, minimal(6)]],
  ] as [string, WebpChunk[]][]) {
    it(`a stripped WebP keeps ${what}`, () => assert.deepEqual(stripped(...chunks), webp(...chunks)));
  }

  for (const [what, secret] of [
    ['XMP', xmp],
    ['XMP as ImageMagick 6 names it', ['XMP\0', Buffer.from('SecretText')]],
    ['an unknown chunk of odd length', note],
    ['an empty chunk', ['note', Buffer.alloc(0)]],
    ['Exif of an upright picture', exif(camera(1))],
    ['minimal Exif of an upright picture', minimal(1)],
    ['Exif without a structure', exif(Buffer.from('MM'))],
    ['empty Exif', exif(Buffer.alloc(0))],
  ] as [string, WebpChunk][]) {
    it(`a stripped WebP loses ${what}, wherever it is, and the flags of metadata`, () => {
      const marks = flags.exif | flags.xmp;
      const others = flags.alpha | flags.profile;
      assert.deepEqual(stripped(still(marks), secret, small), webp(still(), small));
      assert.deepEqual(stripped(still(marks | others), profile, small, secret), webp(still(others), profile, small));
    });
  }

  for (let orientation = 2; orientation <= 8; orientation++) {
    it(`a stripped WebP keeps orientation ${orientation} in minimal Exif at the end`, () => {
      const expected = webp(still(flags.exif), small, minimal(orientation));
      const marks = flags.exif | flags.xmp;
      assert.deepEqual(stripped(still(marks), small, exif(camera(orientation)), xmp), expected);
      // Some writers put the mark of a JPEG first.
      assert.deepEqual(stripped(still(marks), small, exif(joined('Exif\0\0', camera(orientation)))), expected);
      // Not every writer sets the flag.
      assert.deepEqual(stripped(still(), small, exif(camera(orientation))), expected);
    });
  }

  it('a stripped WebP keeps minimal Exif where it is and loses what is around it', () =>
    assert.deepEqual(
      stripped(still(flags.xmp), note, minimal(6), small, xmp),
      webp(still(flags.exif), minimal(6), small),
    ));

  it('a stripped WebP loses a second Exif', () =>
    assert.deepEqual(
      stripped(still(flags.exif), small, minimal(6), minimal(3)),
      webp(still(flags.exif), small, minimal(6)),
    ));

  it('a stripped WebP keeps the orientation of Exif that is longer than is read', () => {
    const long = exif(joined(camera(6), Buffer.alloc(2 ** 20)));
    assert.deepEqual(stripped(still(), small, long), webp(still(flags.exif), small, minimal(6)));
  });

  it('a stripped WebP is still animated, and its frames have the same pictures, without what is hidden in them', () => {
    const noisy = [frame(size, small), frame(size, lossy(2, 2), ['note', Buffer.from('hidden in a frame')])];
    const result = stripped(still(flags.animation | flags.xmp), animation, ...noisy, xmp);
    const frames = [frame(size, small), frame(size, lossy(2, 2))];
    assert.deepEqual(result, webp(still(flags.animation), animation, ...frames));
  });

  it('a stripped WebP loses what is hidden in a frame, also if there is nothing else', () => {
    const hidden = frame(size, small, note);
    const of = (chunk: WebpChunk) =>
      [still(flags.animation), animation, frame(size, small), chunk, frame(size, small)] as const;
    assert.deepEqual(stripped(...of(hidden)), webp(...of(frame(size, small))));
  });

  for (const name of ['lossy', 'lossy-with-alpha', 'lossless', 'animated']) {
    it(`a WebP without metadata is left as it is: ${name}`, () =>
      assert.deepEqual(editWebp(inMemory(picture(`sharp-${name}.webp`))), []));
  }

  it('a stripped WebP has the chunks that it keeps in the same order, byte for byte', () => {
    const kept: WebpChunk[] = [still(), profile, alpha, lossy(2, 2)];
    const secret = fc.constantFrom(xmp, note, exif(camera(1)));
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: 1, max: kept.length }), secret), { maxLength: 12 }),
        (inserted) => {
          const noisy = [...kept, undefined].flatMap((chunk, at) => [
            ...inserted.filter(([place]) => place === at).map(([, extra]) => extra),
            ...(chunk ? [chunk] : []),
          ]);
          assert.deepEqual(stripped(...noisy), webp(...kept));
        },
      ),
      { numRuns: rounds(60), seed },
    );
  });

  it('a file that is not a WebP is not stripped', () =>
    assert.throws(() => editWebp(inMemory(webp(small).subarray(0, -1))), {
      message: 'Not a proved WebP: chunk VP8L extends past its container',
    }));
});
