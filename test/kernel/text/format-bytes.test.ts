// Sizes for people: the unit and the rounding.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formatBytes } from '../../../src/kernel/text/format-bytes.ts';

describe('a size', () => {
  for (const [bytes, expected] of [
    [0, '0 bytes'],
    [1023, '1023 bytes'],
    [1024, '1 KiB'],
    [1536, '1.5 KiB'],
    [2 ** 20 - 1, '1024 KiB'],
    [2 ** 20, '1 MiB'],
    [10 * 2 ** 20, '10 MiB'],
    [2 ** 30, '1 GiB'],
    [1.25 * 2 ** 30, '1.3 GiB'],
    [5000 * 2 ** 30, '5000 GiB'],
  ] as const) {
    it(`${bytes} bytes are written as ${expected}`, () => assert.equal(formatBytes(bytes), expected));
  }
});
