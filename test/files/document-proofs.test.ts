// Proofs of documents, text and archives: files of real programs pass, tampered ones do not.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { proveText } from '../../src/media/proofs/text.ts';
import { proveMediaType } from '../../src/media/prove-media-type.ts';
import { hostileMedia } from '../helpers/media/hostile-media.ts';
import { buildZip, contentTypes, wordMain } from '../helpers/media/media-builders.ts';
import { fixture, fixtures, inMemory, joined } from '../helpers/media/media-files.ts';

const wordType = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

describe('proofs of documents', () => {
  for (const { name, type, bytes } of fixtures().filter((file) => /^(?:application|text)/.test(file.type))) {
    it(`the document ${name} is proved`, async () => {
      const proof = proveMediaType(inMemory(bytes));
      // The caller decides on the subtype of a text.
      assert.deepEqual(proof, { kind: 'proved', type: type === 'text/csv' ? 'text/plain' : type });
    });
  }

  for (const { name, bytes, refusal } of hostileMedia().filter((file) => /^(?:text|PDF|ZIP|office)/.test(file.name))) {
    it(`the hostile document is refused: ${name}`, async () => {
      const proof = proveMediaType(inMemory(bytes));
      assert.notEqual(proof?.kind, 'proved');
      if (refusal === 'unknown') return assert.equal(proof, undefined);
      assert.match(proof?.kind === 'corrupt' ? proof.reason : 'not taken for its own', refusal);
    });
  }
});

describe('proofs of text', () => {
  const texts: Record<string, string> = {
    'a character on the border between pieces': `${'a'.repeat(65_535)}é${'b'.repeat(65_533)}😀${'c'.repeat(70_000)}`,
    'three-byte characters over many pieces': '語'.repeat(100_000),
    'a byte order mark': '\ufeffwords',
    'tabs, form feeds and both line ends': 'a\tb\fc\r\nd\n',
    'a less-than sign': 'if a <3 then b < c',
    'a word in angle brackets that is not a tag': 'mail <header@example.org>, <htmlish>, git cat-file <object>',
    'words that begin like other types': 'RIFF, ID3 and OggS are formats',
  };
  for (const [name, text] of Object.entries(texts)) {
    it(`text with ${name} is proved as text`, async () => {
      assert.equal(proveMediaType(inMemory(Buffer.from(text)))?.type, 'text/plain');
    });
  }

  it('markup is found anywhere in a text, also across a read boundary, but not in longer words that begin like it', () => {
    const border = 262_144;
    for (const at of [70_000, ...Array.from({ length: 20 }, (_, index) => border - 18 + index)]) {
      const text = (markup: string) => Buffer.from(`${'x'.repeat(at)}${markup}${' y'.repeat(200_000)}`);
      assert.equal(proveText(inMemory(text('<ScRipt>'))), undefined, `at ${at}`);
      assert.equal(proveText(inMemory(text('<!doctype HTML')))?.kind, undefined, `at ${at}`);
      assert.equal(proveText(inMemory(text('<scripted>')))?.kind, 'proved', `at ${at}`);
    }
  });

  it('a control character is found at any position of a text, and line and page ends are accepted', () => {
    for (let byte = 0; byte < 0x80; byte++) {
      for (let shift = 1; shift < 10; shift++) {
        const bytes = joined('x'.repeat(shift), [byte], 'some more words');
        const isTaken = byte >= 0x20 || [0x09, 0x0a, 0x0c, 0x0d].includes(byte);
        assert.equal(proveText(inMemory(bytes))?.kind, isTaken ? 'proved' : undefined, `${byte} at ${shift}`);
      }
    }
  });

  it('multi-byte characters at any read boundary are accepted', async () => {
    for (let shift = 0; shift < 8; shift++) {
      const bytes = joined('x'.repeat(shift), Buffer.from('aé語😀'.repeat(60_000)));
      assert.equal(proveText(inMemory(bytes))?.kind, 'proved', `shift ${shift}`);
    }
  });
});

describe('proofs of archives', () => {
  it('an archive with a stored PDF inside is proved as an archive', async () => {
    const zip = buildZip([{ name: 'a.pdf', content: fixture('cairo.pdf') }]);
    assert.deepEqual(proveMediaType(inMemory(zip)), { kind: 'proved', type: 'application/zip' });
  });

  it('an empty archive, a mobile app package and an unknown document are proved as archives', async () => {
    const types = contentTypes(['ppt/presentation.xml', 'application/vnd.ms-powerpoint']);
    const archives = [
      buildZip([]),
      buildZip([{ name: 'AndroidManifest.xml' }]),
      buildZip([{ name: '[Content_Types].xml', content: types }]),
    ];
    for (const zip of archives) assert.equal(proveMediaType(inMemory(zip))?.type, 'application/zip');
  });

  it('the main part of a document is found by its default type as well as by its own', async () => {
    const types = `<Types><Default Extension='xml' ContentType='${wordMain}'/></Types>`;
    const zip = buildZip([{ name: '[Content_Types].xml', content: types }, { name: 'word/document.xml' }]);
    assert.deepEqual(proveMediaType(inMemory(zip)), { kind: 'proved', type: wordType });
  });

  it('an archive of ten thousand entries in any order is proved', async () => {
    const parts = Array.from({ length: 10_000 }, (_, index) => ({
      name: `folder/file-${(index * 7919) % 10_000}`,
      content: 'x',
    }));
    assert.equal(proveMediaType(inMemory(buildZip(parts)))?.kind, 'proved');
  });
});
