// Kept variants that are whole, and those that a full disk has cut.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import sharp from 'sharp';
import { isWholeVariant } from '../../../src/files/variants/kept-variant.ts';
import { variantFormats } from '../../../src/files/variants/variant.ts';

for (const format of variantFormats)
  describe(`a kept variant in ${format}`, () => {
    const isWhole = isWholeVariant[format];
    let bytes: Buffer;
    before(async () => {
      bytes = await sharp({ create: { width: 20, height: 20, channels: 3, background: 'red' } })
        [format]()
        .toBuffer();
    });

    it('is whole as the library writes it', () => assert.ok(isWhole(bytes)));

    it('is not whole if it is cut anywhere, or has bytes behind its end', () => {
      for (let length = 0; length < bytes.length; length++) assert.ok(!isWhole(bytes.subarray(0, length)), `${length}`);
      for (const more of [1, 8, 100]) assert.ok(!isWhole(Buffer.concat([bytes, Buffer.alloc(more)])), `${more} more`);
    });

    it('is not whole if it is filled with zeros, or in the other format', async () => {
      assert.ok(!isWhole(Buffer.alloc(bytes.length)));
      for (const other of variantFormats) assert.equal(isWholeVariant[other](bytes), other === format);
    });
  });
