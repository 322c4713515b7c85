// The scan of texts with vector instructions finds exactly what a look at each byte finds, at every place of a piece.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createTextScanCode } from '../../../../scripts/text-scan-code.ts';
import { commonSigns } from '../../../src/proofs/marks.ts';
import { createTextScan, mostScanned } from '../../../src/proofs/scan/text-scan.ts';
import { textScanCode } from '../../../src/proofs/scan/text-scan-code.ts';
import { activeBeginnings, activeMarkup, markupBytes } from '../../../src/proofs/text/active-markup.ts';
import { pieceBytes } from '../../../src/proofs/text/text-search.ts';

describe('the scan of texts', () => {
  const scan = createTextScan();

  /** Over the end of an earlier, longer piece of which everything would be found. */
  function write(text: string): number {
    scan.bytes.fill('<s\0', 0, text.length + 64);
    scan.bytes.write(text, 'latin1');
    scan.endPiece(text.length);
    return text.length;
  }

  it('its code is the translation of its source', () => {
    assert.ok(createTextScanCode().includes(textScanCode.slice(0, 100)));
    const lines = [...createTextScanCode().matchAll(/^ {2}'(.*)',$/gm)].map(([, line]) => line);
    assert.equal(lines.join(''), textScanCode);
  });

  it('its memory has room for a piece and the end of the one before', () => {
    assert.ok(mostScanned >= pieceBytes + markupBytes + 32);
  });

  it('finds each control character at each place, and no other character', () => {
    for (let code = 0; code < 256; code++) {
      const isControl = code < 0x20 && ![0x09, 0x0a, 0x0c, 0x0d].includes(code);
      for (const place of [0, 1, 15, 16, 17, 31, 40]) {
        const text = `${'x'.repeat(place)}${String.fromCharCode(code)}`;
        assert.equal(scan.hasControls(write(text)), isControl, `${code} at ${place}`);
        assert.equal(
          scan.hasControls(write(`${text}${'y'.repeat(37)}`)),
          isControl,
          `${code} at ${place} of a longer text`,
        );
      }
    }
  });

  it('the beginnings are those of the pattern', () => {
    const words = activeMarkup.source.replace('(?=[\\t\\n\\f\\r />])', '').match(/!doctype html|\\\?php|[a-z]+/g) ?? [];
    assert.deepEqual(
      words.map((word) => word.replace('\\', '')),
      activeBeginnings,
    );
  });

  it('finds each beginning of markup at each place, in any case', () => {
    for (const beginning of activeBeginnings)
      for (const each of [beginning, beginning.toUpperCase()])
        for (let place = 0; place < 34; place++) {
          const text = `${'x'.repeat(place)}<${each}`;
          assert.equal(scan.findMarkup(0, write(text)), place, text);
          assert.equal(scan.findMarkup(place + 1, text.length), undefined, text);
          assert.equal(scan.findMarkup(0, write(`${text}> and more text behind it`)), place, text);
        }
  });

  it('finds no other tags, and nothing behind the piece', () => {
    assert.equal(scan.findMarkup(0, write('<p><b><div><table><tr><td><a href><li><ul>1 < 2 << 3 <<<')), undefined);
    assert.equal(scan.findMarkup(0, write('')), undefined);
  });

  it('misses no markup that the pattern finds', () => {
    const part = fc.oneof(
      fc.constantFrom(...activeBeginnings.map((each) => `<${each}>`)),
      fc.constantFrom('<', '<<', '<s', '<p>', '>', '/', 'script', '!doctype', ' '),
      fc.string({ maxLength: 20 }),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 40 }), (parts) => {
        const text = Buffer.from(parts.join('')).toString('latin1');
        const length = write(text);
        const found: number[] = [];
        for (let at = scan.findMarkup(0, length); at !== undefined; at = scan.findMarkup(at + 1, length))
          found.push(at);
        for (const { index } of text.matchAll(new RegExp(activeMarkup, 'gi'))) assert.ok(found.includes(index), text);
        for (const place of found) assert.equal(text[place], '<');
      }),
    );
  });

  it('finds each sign of another format at each place, and nothing behind the piece', () => {
    for (const sign of commonSigns.map((each) => each.toString('latin1')))
      for (let place = 0; place < 70; place++) {
        const bytes = `${'x'.repeat(place)}${sign}`;
        assert.equal(scan.findSign(0, write(bytes)), place, bytes);
        assert.equal(scan.findSign(0, write(`${bytes}${'y'.repeat(40)}`)), place, bytes);
        scan.bytes.write(sign, bytes.length, 'latin1');
        scan.endPiece(place);
        assert.equal(scan.findSign(0, place), undefined, bytes);
      }
  });

  it('finds exactly the pairs of bytes that begin a sign', () => {
    const pairs = commonSigns.map((sign) => sign.toString('latin1', 0, 2));
    const part = fc.oneof(
      fc.constantFrom(...pairs, ...pairs.flatMap((pair) => [...pair]), 'Pk', 'r', '%', '\xd2a', 'R\xe1'),
      fc.string({ maxLength: 40 }),
      fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes).toString('latin1')),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 40 }), (parts) => {
        const text = Buffer.from(parts.join(''), 'latin1').toString('latin1');
        const length = write(text);
        const found: number[] = [];
        for (let at = scan.findSign(0, length); at !== undefined; at = scan.findSign(at + 1, length)) found.push(at);
        const expected = Array.from(text, (_, at) => at).filter((at) => pairs.includes(text.slice(at, at + 2)));
        assert.deepEqual(found, expected);
      }),
    );
  });

  it('every sign has the three bytes that are compared', () => {
    for (const sign of commonSigns) assert.ok(sign.length >= 3);
  });
});
