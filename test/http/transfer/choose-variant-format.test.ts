// The format of a variant by the Accept header.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { chooseVariantFormat } from '../../../src/http/transfer/choose-variant-format.ts';

describe('the format of a variant', () => {
  for (const [accept, expected] of [
    [undefined, 'webp'],
    ['', 'webp'],
    ['*/*', 'webp'],
    ['image/*', 'webp'],
    ['image/png', 'webp'],
    ['image/webp,image/png', 'webp'],
    ['image/avif', 'avif'],
    ['IMAGE/AVIF', 'avif'],
    ['image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8', 'avif'],
    ['image/png, image/avif ; q=0.5', 'avif'],
    ['image/avif;q=0.001', 'avif'],
    ['image/avif;q=0', 'webp'],
    ['image/avif;q=0.000', 'webp'],
    ['image/avif;q=much', 'webp'],
    ['image/avif;q=2', 'webp'],
    ['image/avif;q=-1', 'webp'],
    ['image/avif;q=0.5,image/webp', 'webp'],
    ['image/avif;q=0.5,image/webp;q=0.5', 'avif'],
    ['image/avif;depth=10', 'avif'],
    ['image/avifx', 'webp'],
    ['x-image/avif', 'webp'],
  ] as const) {
    it(`a variant is ${expected} for ${accept === undefined ? 'no Accept' : JSON.stringify(accept)}`, () => {
      assert.equal(chooseVariantFormat(accept), expected);
    });
  }
});
