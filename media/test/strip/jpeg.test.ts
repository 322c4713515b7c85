// A stripped JPEG: no place, device, text, thumbnail or further picture; the same scans, colours and orientation.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { rounds, seed } from '../../../test/helpers/faults/rounds.ts';
import { writeOrientation } from '../../src/exif.ts';
import { proveJpeg } from '../../src/proofs/images/jpeg.ts';
import { editJpeg } from '../../src/strip/jpeg.ts';
import { proofOf } from '../helpers/assert-proofs.ts';
import { frame, jpeg, plainJpeg, scan, segment, tables, withPictures } from '../helpers/jpeg-builder.ts';
import { hex, inMemory, joined, type Part, picture } from '../helpers/media-files.ts';
import { edited, strip } from '../helpers/strip.ts';

const bare = joined(tables, frame(), scan());
const jfifBody = joined('JFIF\0', hex('0101 00 0001 0001 00 00'));
const jfif = segment(0xe0, jfifBody);
const profile = segment(0xe2, 'ICC_PROFILE\0words');
const adobe = segment(0xee, joined('Adobe', Buffer.alloc(7)));
const xmp = segment(0xe1, 'http://ns.adobe.com/xap/1.0/\0<x/>');

/** Exif with other entries beside the orientation, as cameras write it. */
function camera(orientation: number): Buffer {
  const entries = joined(hex('010f 0002 00000004 414243 00'), hex('0112 0003 00000001 00'), [orientation], hex('0000'));
  return segment(0xe1, joined('Exif\0\0', hex('4d4d002a00000008 0002'), entries, hex('00000000')));
}

function minimal(orientation: number): Buffer {
  return segment(0xe1, joined('Exif\0\0', writeOrientation(orientation)));
}

function stripped(...parts: Part[]): Buffer {
  const source = jpeg(...parts);
  assert.equal(proofOf(proveJpeg, source)?.kind, 'proved', 'the source is a whole JPEG');
  const result = edited(source, editJpeg(inMemory(source)));
  assert.deepEqual(strip('image/jpeg', source), result);
  assert.equal(proofOf(proveJpeg, result)?.kind, 'proved', 'the result is a whole JPEG');
  assert.deepEqual(editJpeg(inMemory(result)), [], 'the result is not changed again');
  return result;
}

describe('a stripped JPEG', () => {
  for (const [what, kept] of [
    ['nothing but the picture', [bare]],
    ['JFIF without a thumbnail', [jfif, bare]],
    ['the colour profile, in any number of parts', [profile, bare, profile]],
    ["Adobe's colour transform", [adobe, bare]],
    ['the orientation in minimal Exif', [minimal(6), bare]],
    ['JFIF and minimal Exif', [jfif, minimal(3), profile, adobe, bare]],
  ] as [string, Part[]][]) {
    it(`a stripped JPEG keeps ${what}`, () => assert.deepEqual(stripped(...kept), jpeg(...kept)));
  }

  const lost: [string, Buffer][] = [
    ...Array.from({ length: 16 }, (_, index): [string, Buffer] => [
      `an APP${index} segment`,
      segment(0xe0 + index, 'SecretText'),
    ]),
    ['a comment', segment(0xfe, 'SecretText')],
    ['an empty comment', segment(0xfe)],
    ['XMP', xmp],
    ['an extension of JFIF', segment(0xe0, 'JFXX\0SecretText')],
    ['JFIF that is cut', segment(0xe0, jfifBody.subarray(0, 13))],
    ['JFIF in another segment', segment(0xe1, jfifBody)],
    ['a profile in another segment', segment(0xe3, 'ICC_PROFILE\0words')],
    ["Adobe's mark in another segment", segment(0xed, adobe.subarray(4))],
    ["Adobe's mark that is cut", segment(0xee, adobe.subarray(4, -1))],
    ['an APP14 segment as long as that of Adobe', segment(0xee, 'SecretText!!')],
    ['a segment that begins almost like a profile', segment(0xe2, 'ICC_PROFILE')],
    ['Exif of an upright picture', camera(1)],
    ['minimal Exif of an upright picture', minimal(1)],
    ['Exif without a structure', segment(0xe1, 'Exif\0\0')],
    ['Exif that points outside', segment(0xe1, 'Exif\0\0MM\0*\xff\xff\xff\xff')],
    ['Exif with an orientation of 9', segment(0xe1, joined('Exif\0\0', writeOrientation(9)))],
    ['an empty APP1 segment', segment(0xe1)],
  ];
  for (const [what, secret] of lost) {
    it(`a stripped JPEG loses ${what}, wherever it is`, () => {
      assert.deepEqual(stripped(secret, bare), jpeg(bare));
      assert.deepEqual(stripped(jfif, tables, secret, frame(), scan()), jpeg(jfif, bare));
      assert.deepEqual(stripped(bare, secret), jpeg(bare));
    });
  }

  it('a stripped JPEG loses the fill bytes before a segment, except behind a scan, to which they belong', () => {
    const filled = joined([0xff, 0xff], segment(0xfe, 'SecretText'));
    assert.deepEqual(stripped(filled, bare), jpeg(bare));
    assert.deepEqual(stripped(bare, filled), jpeg(bare, [0xff, 0xff]));
  });

  it('a stripped JPEG loses the thumbnail that JFIF can hold', () => {
    const thumbnail = segment(0xe0, joined(jfifBody.subarray(0, 12), [2, 2], 'SecretText!!'));
    assert.deepEqual(stripped(thumbnail, bare), jpeg(jfif, bare));
  });

  it("a stripped JPEG loses the bytes behind Adobe's colour transform", () =>
    assert.deepEqual(stripped(segment(0xee, joined(adobe.subarray(4), 'x')), bare), jpeg(adobe, bare)));

  it('a stripped JPEG loses the bytes behind JFIF', () =>
    assert.deepEqual(stripped(segment(0xe0, joined(jfifBody, 'x')), bare), jpeg(jfif, bare)));

  for (let orientation = 2; orientation <= 8; orientation++) {
    it(`a stripped JPEG keeps orientation ${orientation} and nothing else of its Exif`, () => {
      assert.deepEqual(stripped(camera(orientation), bare), jpeg(minimal(orientation), bare));
      assert.deepEqual(stripped(xmp, camera(orientation), bare), jpeg(minimal(orientation), bare));
    });
  }

  it('a stripped JPEG has its Exif behind JFIF, which every reader expects first', () => {
    assert.deepEqual(stripped(jfif, camera(6), bare), jpeg(jfif, minimal(6), bare));
    assert.deepEqual(stripped(tables, camera(6), frame(), scan()), jpeg(minimal(6), bare));
    assert.deepEqual(stripped(segment(0xe0, joined(jfifBody, 'x')), bare, camera(6)), jpeg(jfif, minimal(6), bare));
  });

  it('a stripped JPEG has the orientation of its first Exif, which is the one that readers use', () => {
    assert.deepEqual(stripped(camera(6), camera(3), bare), jpeg(minimal(6), bare));
    assert.deepEqual(stripped(minimal(6), minimal(6), bare), jpeg(minimal(6), bare));
    assert.deepEqual(stripped(camera(1), camera(3), bare), jpeg(bare));
    assert.deepEqual(stripped(segment(0xe2, 'Exif\0\0words'), minimal(6), bare), jpeg(minimal(6), bare));
  });

  it('a stripped JPEG loses the pictures behind its first', () => {
    const second = jpeg(tables, frame({ width: 2 }), scan());
    assert.deepEqual(strip('image/jpeg', withPictures(plainJpeg, [second, second])), plainJpeg);
  });

  for (const name of ['baseline', 'progressive', 'mozjpeg', 'grey', 'cmyk', 'with-a-profile']) {
    it(`a JPEG without metadata is left as it is: ${name}`, () =>
      assert.deepEqual(editJpeg(inMemory(picture(`sharp-${name}.jpg`))), []));
  }

  it('a stripped JPEG has the same tables, frames and scans, byte for byte, whatever is between them', () => {
    const scans = [tables, frame(), scan(), scan({ data: hex('ff0001') }), scan()];
    const noise = fc.constantFrom(...lost.map(([, secret]) => secret), xmp, camera(5));
    const kept = fc.constantFrom(jfif, profile, adobe);
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(scans.length), fc.oneof(noise, kept)), { maxLength: 12 }), (inserted) => {
        const parts = scans.flatMap((part, at) => [
          ...inserted.filter(([place]) => place === at).map(([, extra]) => extra),
          part,
        ]);
        const result = stripped(...parts);
        let position = 0;
        for (const part of scans) {
          position = result.indexOf(part, position);
          assert.ok(position > 0);
          position += part.length;
        }
      }),
      { numRuns: rounds(60), seed },
    );
  });

  it('a file that is not a JPEG is not stripped', () =>
    assert.throws(() => editJpeg(inMemory(plainJpeg.subarray(0, -1))), { message: /^Not a proved JPEG: / }));
});
