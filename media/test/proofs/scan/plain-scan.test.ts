// The scan without vector instructions finds the same control characters, and misses no place that the other finds.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createPlainScan } from '../../../src/proofs/scan/plain-scan.ts';
import { createTextScan, mostScanned, type TextScan } from '../../../src/proofs/scan/text-scan.ts';

describe('the plain scan of texts', () => {
  const [plain, vectors] = [createPlainScan(), createTextScan()];

  /** Over the end of an earlier, longer piece of which everything would be found. */
  function write(scan: TextScan, text: string): number {
    scan.bytes.fill('<s\0', 0, text.length + 64);
    scan.bytes.write(text, 'latin1');
    scan.endPiece(text.length);
    return text.length;
  }

  function placesOf(scan: TextScan, length: number): number[] {
    const found: number[] = [];
    for (let at = scan.findMarkup(0, length); at !== undefined; at = scan.findMarkup(at + 1, length)) found.push(at);
    return found;
  }

  it('has room for the same pieces', () => {
    assert.equal(plain.bytes.length, mostScanned);
    plain.endPiece(mostScanned);
    assert.equal(plain.findMarkup(mostScanned, mostScanned), undefined);
  });

  it('finds each control character at each place, and no other character', () => {
    for (let code = 0; code < 256; code++)
      for (const place of [0, 1, 2, 3, 4, 17]) {
        const text = `${'x'.repeat(place)}${String.fromCharCode(code)}${'y'.repeat(place % 3)}`;
        const expected = vectors.hasControls(write(vectors, text));
        assert.equal(plain.hasControls(write(plain, text)), expected, `${code} at ${place}`);
      }
  });

  it('misses no place, and finds only brackets', () => {
    const part = fc.oneof(fc.constantFrom('<script>', '<', '<<', '<s', '<?php', '<p>', ' '), fc.string());
    fc.assert(
      fc.property(fc.array(part, { maxLength: 40 }), (parts) => {
        const text = Buffer.from(parts.join('')).toString('latin1');
        const found = placesOf(plain, write(plain, text));
        for (const place of placesOf(vectors, write(vectors, text))) assert.ok(found.includes(place), text);
        for (const place of found) assert.equal(text[place], '<');
      }),
    );
  });

  it('takes every place for one that may begin a sign', () => {
    const length = write(plain, 'PK');
    assert.deepEqual(
      [plain.findSign(0, length), plain.findSign(1, length), plain.findSign(2, length)],
      [0, 1, undefined],
    );
  });
});
