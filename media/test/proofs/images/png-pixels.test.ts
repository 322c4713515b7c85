// The pixels of a PNG: a zlib stream that is whole, has the right checksum, and has every row.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { deflateSync } from 'node:zlib';
import { type PngHeader, pixelsDefect } from '../../../src/proofs/images/png-pixels.ts';
import { inMemory, joined, patched } from '../../helpers/media-files.ts';

const square: PngHeader = { width: 8, height: 8, depth: 8, colour: 0, isInterlaced: false };
const damaged = 'image data does not unpack';
const tooFew = 'too few pixels';

/** The stream in one chunk, or cut into chunks of some bytes. */
function judge(stream: Buffer, header: Partial<PngHeader> = {}, chunkBytes = stream.length): string | undefined {
  const file = joined('before', stream);
  const chunks = Array.from({ length: Math.ceil(stream.length / chunkBytes) }, (_, index) => ({
    dataStart: 6 + index * chunkBytes,
    length: Math.min(chunkBytes, stream.length - index * chunkBytes),
  }));
  return pixelsDefect(inMemory(file), chunks, { ...square, ...header });
}

const rows = (bytes: number) => deflateSync(Buffer.alloc(bytes, 'pixels'));

describe('the pixels of a PNG', () => {
  for (const [what, header, bytes] of [
    ['8 bits of grey', {}, 8 * 9],
    ['1 bit in bytes that are not full', { width: 9, depth: 1 }, 8 * 3],
    ['16 bits of grey', { depth: 16 }, 8 * 17],
    ['colour', { colour: 2 }, 8 * 25],
    ['a palette of 4 bits', { colour: 3, depth: 4 }, 8 * 5],
    ['grey with transparency', { colour: 4 }, 8 * 17],
    ['16 bits of colour with transparency', { colour: 6, depth: 16 }, 8 * 65],
    // Rows of each pass: 1 of 1, 1 of 1, 1 of 2, 2 of 2, 2 of 4, 4 of 4, 4 of 8.
    ['interlaced', { isInterlaced: true }, 2 + 2 + 3 + 2 * 3 + 2 * 5 + 4 * 5 + 4 * 9],
    ['one interlaced pixel', { width: 1, height: 1, isInterlaced: true }, 2],
    ['three interlaced pixels', { width: 3, height: 1, isInterlaced: true }, 2 + 2 + 2],
    ['an interlaced column', { width: 1, height: 5, isInterlaced: true }, 2 + 2 + 2 + 2 * 2],
  ] as [string, Partial<PngHeader>, number][]) {
    it(`every byte of the rows is needed: ${what}`, () => {
      assert.equal(judge(rows(bytes), header), undefined);
      assert.equal(judge(rows(bytes - 1), header), tooFew);
    });
  }

  it('a stream may be spread over chunks of any length', () => {
    const noise = Buffer.from(Array.from({ length: 200_000 }, (_, index) => (index * 7919) >> 3));
    const header = { width: 999, height: 200 };
    for (const bytes of [1_000, 65_536, 65_537, 199_999])
      assert.equal(judge(deflateSync(noise, { level: 0 }), header, bytes), undefined, `${bytes}`);
    assert.equal(judge(rows(72), {}, 1), undefined);
  });

  it('a stream may go on for 65,536 bytes behind the last row, and no byte more', () => {
    assert.equal(judge(rows(72 + 65_536)), undefined);
    assert.equal(judge(rows(72 + 65_537)), damaged);
  });

  it('bytes behind the stream are ignored, as image libraries do', () =>
    assert.equal(judge(joined(rows(72), 'more')), undefined));

  for (const [what, stream] of [
    ['a wrong checksum', patched(rows(72), rows(72).length - 1, [0xff])],
    ['a stream without its checksum', rows(72).subarray(0, -4)],
    ['a stream that is cut', rows(72).subarray(0, -9)],
    ['a block of an unknown kind', patched(rows(72), 2, [0x07])],
    ['nothing but a header', rows(72).subarray(0, 2)],
    ['nothing', Buffer.alloc(0)],
  ] as const) {
    it(`pixels are refused: ${what}`, () => assert.equal(judge(stream), damaged));
  }

  it('the pixels of a picture of more than 40 million bytes are not unpacked', () => {
    const broken = Buffer.from('words');
    assert.equal(judge(broken, { width: 39_999, height: 1_000 }), damaged);
    assert.equal(judge(broken, { width: 40_000, height: 1_000 }), undefined);
    const long = [{ dataStart: 0, length: 40_000_001 }];
    assert.equal(pixelsDefect(inMemory(broken), long, square), undefined);
  });
});
