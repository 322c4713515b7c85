// Polyglots: a proved file that an unpacker or a PDF reader would also open as its own format.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { MediaType } from '../../../src/media/media-type.ts';
import { findPolyglot } from '../../../src/media/proofs/polyglot.ts';
import { buildZip } from '../../helpers/media/media-builders.ts';
import { inMemory, joined, type Part, u16le } from '../../helpers/media/media-files.ts';

const zip = buildZip([{ name: 'a', content: 'x' }]);

function find(type: MediaType, ...parts: Part[]): string | undefined {
  return findPolyglot(inMemory(joined(...parts)), type);
}

const filler = (bytes: number) => Buffer.alloc(bytes, 'x');

describe('a polyglot', () => {
  for (const [what, parts, expected] of [
    ['an archive at the end', ['picture', zip], 'also a ZIP archive'],
    ['an archive with 60,000 bytes behind it', ['picture', zip, filler(60_000)], 'also a ZIP archive'],
    ['the header of a PDF at the start and its end mark at the end', ['x%PDF-', filler(5_000), '%%EOF'], 'also a PDF'],
    [
      'the header of a PDF in the last place where readers look',
      [filler(1_024), '%PDF-', filler(5_000), '%%EOF'],
      'also a PDF',
    ],
    [
      'the end mark of a PDF in the first place where readers look',
      ['%PDF-', filler(5_000), '%%EOF', filler(1_019)],
      'also a PDF',
    ],
    ['both in a short file', ['%PDF-%%EOF'], 'also a PDF'],
  ] as [string, Part[], string][]) {
    it(`a file is a polyglot: ${what}`, () => assert.equal(find('image/png', ...parts), expected));
  }

  for (const [what, parts] of [
    ['nothing', []],
    ['words', ['words']],
    ['the header of a PDF alone', ['%PDF-', filler(5_000)]],
    ['the end mark of a PDF alone', [filler(5_000), '%%EOF']],
    ['the header of a PDF too far in', [filler(1_025), '%PDF-', filler(5_000), '%%EOF']],
    ['the end mark of a PDF too early', ['%PDF-', filler(5_000), '%%EOF', filler(1_020)]],
    ['the end of an archive without its directory', ['picture', zip.subarray(-22)]],
  ] as [string, Part[]][]) {
    it(`a file is no polyglot: ${what}`, () => assert.equal(find('image/png', ...parts), undefined));
  }

  it('a PDF is a polyglot only if an archive ends with it', () => {
    const ended = joined(zip.subarray(0, -2), u16le(5), '%%EOF');
    assert.equal(find('application/pdf', '%PDF-', ended), 'also a ZIP archive');
    assert.equal(find('application/pdf', '%PDF-', zip, '%%EOF'), undefined);
    assert.equal(find('image/png', 'picture', zip, 'words'), 'also a ZIP archive');
  });
});
