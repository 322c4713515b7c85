// JPEG files of phones: further pictures behind the first are accepted if the index lists them, and removed before storing.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import sharp from 'sharp';
import type { FileBytes } from '../../src/media/media-type.ts';
import { proveJpeg } from '../../src/media/proofs/jpeg.ts';
import { planStrip } from '../../src/media/strip-metadata.ts';

const picture = (size: number) =>
  sharp({ create: { width: size, height: size, channels: 3, background: '#369' } })
    .jpeg()
    .toBuffer();

function readerOf(bytes: Buffer): FileBytes {
  return { size: bytes.length, read: (position, length) => bytes.subarray(position, position + length) };
}

/** The first picture with an index of all of them, and the others behind it. */
function join(first: Buffer, others: readonly Buffer[], error = 0): Buffer {
  const count = others.length + 1;
  const tiff = Buffer.alloc(8 + 2 + 2 * 12 + 4 + count * 16);
  tiff.write('MM', 0, 'latin1');
  tiff.writeUInt16BE(42, 2);
  tiff.writeUInt32BE(8, 4);
  tiff.writeUInt16BE(2, 8);
  tiff.writeUInt16BE(0xb001, 10);
  tiff.writeUInt16BE(4, 12);
  tiff.writeUInt32BE(1, 14);
  tiff.writeUInt32BE(count, 18);
  tiff.writeUInt16BE(0xb002, 22);
  tiff.writeUInt16BE(7, 24);
  tiff.writeUInt32BE(count * 16, 26);
  tiff.writeUInt32BE(38, 30);
  const head = Buffer.from([0xff, 0xe2, 0, 0, ...Buffer.from('MPF\0')]);
  head.writeUInt16BE(2 + 4 + tiff.length, 2);
  // After SOI. The index counts from its TIFF header.
  let offset = first.length + head.length + tiff.length - (2 + head.length) + error;
  others.forEach((other, index) => {
    tiff.writeUInt32BE(other.length, 38 + (index + 1) * 16 + 4);
    tiff.writeUInt32BE(offset, 38 + (index + 1) * 16 + 8);
    offset += other.length;
  });
  return Buffer.concat([first.subarray(0, 2), head, tiff, first.subarray(2), ...others]);
}

describe('a JPEG with further pictures', () => {
  it('a JPEG with further pictures is proved if its index lists them to the end of the file, and stored without them', async () => {
    const first = await picture(32);
    const file = join(first, [await picture(16), await picture(8)]);
    const proof = proveJpeg(readerOf(file));
    assert.deepEqual(proof, { kind: 'proved', type: 'image/jpeg', width: 32, height: 32 });
    const pieces = planStrip('image/jpeg', readerOf(file));
    const stored = Buffer.concat(
      (pieces ?? []).map((piece) => ('bytes' in piece ? piece.bytes : file.subarray(piece.from, piece.to))),
    );
    assert.deepEqual(stored, first);
  });

  for (const [name, make] of [
    ['an index that points elsewhere', async () => join(await picture(32), [await picture(16)], 1)],
    [
      'bytes behind the last picture',
      async () => Buffer.concat([join(await picture(32), [await picture(16)]), Buffer.from('more')]),
    ],
    [
      'a further picture that is not a picture',
      async () => join(await picture(32), [Buffer.from('<script>alert(1)</script>')]),
    ],
    ['a further picture that is cut short', async () => join(await picture(32), [(await picture(16)).subarray(0, -4)])],
    ['a further picture without an index', async () => Buffer.concat([await picture(32), await picture(16)])],
  ] as const) {
    it(`a JPEG is refused with ${name}`, async () => {
      assert.equal(proveJpeg(readerOf(await make()))?.kind, 'corrupt');
    });
  }
});
