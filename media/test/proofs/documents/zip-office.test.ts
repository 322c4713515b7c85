// Office documents among ZIP archives: the declared main part exists, no macros, nothing hidden by encryption or odd notation.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { crc32, deflateRawSync } from 'node:zlib';
import { type Objection, proved, refused } from '../../../src/proof.ts';
import type { PlacedEntry } from '../../../src/proofs/archives/zip-entries.ts';
import { officeProof } from '../../../src/proofs/documents/zip-office.ts';
import { contentTypes, sheetMain, wordMain } from '../../helpers/media-builders.ts';
import { inMemory, joined, type Part } from '../../helpers/media-files.ts';

const word = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
const sheet = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
const openText = 'application/vnd.oasis.opendocument.text';
const archive = proved('application/zip');
const macros: Objection = { rule: 'macros' };
const encrypted: Objection = { rule: 'encrypted-document' };

type File = { name: string; content?: Part; change?: Partial<PlacedEntry>; isPacked?: boolean };

/** The entries as the directory lists them, and the file with their data. `change` makes the directory lie. */
function judge(...files: (File | string)[]) {
  const parts: Buffer[] = [];
  let at = 0;
  const entries = files.map((file): PlacedEntry => {
    const { name, content = '', change = {}, isPacked = false } = typeof file === 'string' ? { name: file } : file;
    const bytes = joined(content);
    const data = isPacked ? deflateRawSync(bytes) : bytes;
    const entry = {
      name,
      flags: 0,
      method: isPacked ? 8 : 0,
      checksum: crc32(bytes),
      packedSize: data.length,
      unpackedSize: bytes.length,
      offset: at,
      dataStart: at,
    };
    parts.push(data);
    at += data.length;
    return { ...entry, ...change };
  });
  return officeProof(inMemory(joined(...parts, 'directory')), entries);
}

const typesName = '[Content_Types].xml';
const wordTypes = contentTypes(['word/document.xml', wordMain]);
const sheetTypes = contentTypes(['xl/workbook.xml', sheetMain]);
const types = (content: Part, change: Partial<PlacedEntry> = {}): File => ({ name: typesName, content, change });

describe('a document of Word or Excel', () => {
  const defaults = `<Types><Default Extension='xml' ContentType='${wordMain}'/></Types>`;
  for (const [what, files, expected] of [
    ['a Word document', [types(wordTypes), 'word/document.xml'], proved(word)],
    ['an Excel document', [types(sheetTypes), 'xl/workbook.xml'], proved(sheet)],
    [
      'packed content types',
      [{ name: typesName, content: wordTypes, isPacked: true }, 'word/document.xml'],
      proved(word),
    ],
    ['content types as the last entry', ['word/document.xml', types(wordTypes)], proved(word)],
    ['names in another case', [{ name: '[CONTENT_TYPES].XML', content: wordTypes }, 'WORD/Document.xml'], proved(word)],
    [
      'a main part in another place',
      [types(contentTypes(['Word/Document2.xml', wordMain])), 'word/document2.xml'],
      proved(word),
    ],
    ['a main part named by its default type', [types(defaults), 'word/document.xml'], proved(word)],
    [
      'blanks around the equals sign',
      [types(wordTypes.replace('PartName=', 'PartName \t = \n')), 'word/document.xml'],
      proved(word),
    ],
    [
      'an ampersand as an entity',
      [types(wordTypes.replace('<Types>', '<Types x="a &amp; b">')), 'word/document.xml'],
      proved(word),
    ],
    [
      'other parts, stored and packed',
      [types(wordTypes), 'word/document.xml', 'word/media/a.png', { name: 'b', content: 'x', isPacked: true }],
      proved(word),
    ],
    [
      'another part named first',
      [types(contentTypes(['word/styles.xml', 'x/y'], ['word/document2.xml', wordMain])), 'word/document2.xml'],
      proved(word),
    ],
    [
      'a part that is named almost like a macro project',
      [types(wordTypes), 'word/document.xml', 'word/vbaProject.bin.txt'],
      proved(word),
    ],
    ['backslashes in names', [types(wordTypes), 'word\\document.xml'], proved(word)],
    [
      'content types of a megabyte',
      [types(joined(wordTypes, ' '.repeat(2 ** 20 - wordTypes.length))), 'word/document.xml'],
      proved(word),
    ],
  ] as [string, File[], ReturnType<typeof proved>][]) {
    it(`a document is proved: ${what}`, () => assert.deepEqual(judge(...files), expected));
  }

  for (const [what, files] of [
    ['no content types', ['word/document.xml']],
    ['nothing', []],
    [
      'content types of another kind of document',
      [types(contentTypes(['ppt/presentation.xml', 'application/vnd.ms-powerpoint'])), 'ppt/presentation.xml'],
    ],
    [
      'a type that only begins like that of a document',
      [types(contentTypes(['word/document.xml', `${wordMain}x`])), 'word/document.xml'],
    ],
    ['a type that is not in quotes', [types(`<Types>${wordMain}</Types>`), 'word/document.xml']],
    ['content types in a folder', [{ name: `a/${typesName}`, content: wordTypes }, 'word/document.xml']],
  ] as [string, (File | string)[]][]) {
    it(`an archive is no document: ${what}`, () => assert.deepEqual(judge(...files), archive));
  }

  const macro = 'application/vnd.ms-word.document.macroEnabled.main+xml';
  const both = contentTypes(['word/document.xml', wordMain], ['xl/workbook.xml', sheetMain]);
  for (const [what, files, reason] of [
    ['a type with macros', [types(contentTypes(['word/document.xml', macro])), 'word/document.xml'], macros],
    [
      'a type with macros in another case',
      [types(contentTypes(['word/document.xml', macro.toUpperCase()])), 'word/document.xml'],
      macros,
    ],
    [
      'a macro sheet',
      [
        types(contentTypes(['word/document.xml', wordMain], ['xl/m.xml', 'application/vnd.ms-excel.macrosheet+xml'])),
        'word/document.xml',
      ],
      macros,
    ],
    [
      'a macro project by its type',
      [
        types(contentTypes(['word/document.xml', wordMain], ['word/x.bin', 'application/vnd.ms-office.vbaProject'])),
        'word/document.xml',
      ],
      macros,
    ],
    ['a macro project by its name', [types(wordTypes), 'word/document.xml', 'word/vbaProject.bin'], macros],
    ['a macro project by its name in another case', [types(wordTypes), 'word/document.xml', 'VBAPROJECT.BIN'], macros],
    [
      'content types with a document type',
      [types(`<!DOCTYPE x>${wordTypes}`), 'word/document.xml'],
      { rule: 'document-form' },
    ],
    ['content types with a comment', [types(`${wordTypes}<!-- x -->`), 'word/document.xml'], { rule: 'document-form' }],
    [
      'content types with an entity',
      [types(wordTypes.replace('<Types>', '<Types x="&#118;baProject">')), 'word/document.xml'],
      { rule: 'document-form' },
    ],
    [
      'content types in UTF-16',
      [types(Buffer.from(wordTypes, 'utf16le')), 'word/document.xml'],
      { rule: 'document-form' },
    ],
    [
      'content types of more than a megabyte',
      [types(joined(wordTypes, ' '.repeat(2 ** 20))), 'word/document.xml'],
      { rule: 'document-form' },
    ],
    [
      'content types that promise less than they have',
      [{ name: typesName, content: wordTypes, isPacked: true, change: { unpackedSize: 9 } }, 'word/document.xml'],
      '[Content_Types].xml is damaged',
    ],
    [
      'content types that unpack to more than a megabyte',
      [
        {
          name: typesName,
          content: joined(wordTypes, ' '.repeat(2 ** 20)),
          isPacked: true,
          change: { unpackedSize: 9 },
        },
        'word/document.xml',
      ],
      '[Content_Types].xml is damaged',
    ],
    [
      'packed content types larger than a megabyte',
      [types(wordTypes, { packedSize: 2 ** 20 + 1 }), 'word/document.xml'],
      { rule: 'document-form' },
    ],
    [
      'content types with a wrong checksum',
      [types(wordTypes, { checksum: 1 }), 'word/document.xml'],
      '[Content_Types].xml is damaged',
    ],
    [
      'content types that do not unpack',
      [types(wordTypes, { method: 8 }), 'word/document.xml'],
      '[Content_Types].xml is damaged',
    ],
    ['encrypted content types', [types(wordTypes, { flags: 1 }), 'word/document.xml'], encrypted],
    [
      'content types packed in an unusual way',
      [types(wordTypes, { method: 12 }), 'word/document.xml'],
      { rule: 'zip-form' },
    ],
    [
      'packed content types that are said to be packed in an unusual way',
      [{ name: typesName, content: wordTypes, isPacked: true, change: { method: 12 } }, 'word/document.xml'],
      { rule: 'zip-form' },
    ],
    ['no main part', [types(wordTypes), 'word/other.xml'], 'the main part is missing'],
    [
      'a main part without a name',
      [types(wordTypes.replace('PartName', 'Name')), 'word/document.xml'],
      'the main part is missing',
    ],
    [
      'a main part whose name does not begin with a slash',
      [types(wordTypes.replace('"/word', '"word')), 'word/document.xml'],
      'the main part is missing',
    ],
    [
      'a main part with more than four blanks before its name',
      [types(wordTypes.replace('PartName=', 'PartName     =')), 'word/document.xml'],
      'the main part is missing',
    ],
    ['two main parts', [types(both), 'word/document.xml', 'xl/workbook.xml'], { rule: 'hidden-file' }],
    [
      'two parts that differ in case',
      [types(wordTypes), 'word/document.xml', 'Word/Document.xml'],
      { rule: 'zip-names' },
    ],
    ['an encrypted part', [types(wordTypes), { name: 'word/document.xml', change: { flags: 1 } }], encrypted],
    [
      'a part packed in an unusual way',
      [types(wordTypes), { name: 'word/document.xml', change: { method: 12 } }],
      { rule: 'zip-form' },
    ],
  ] as [string, File[], Objection][]) {
    it(`a document is refused: ${what}`, () => {
      const proof = judge(...files);
      assert.deepEqual(proof, refused(proof.type ?? word, reason));
    });
  }

  for (const [name, type] of [
    ['word/document.xml', word],
    ['xl/workbook.xml', sheet],
    ['words.txt', 'application/zip'],
  ] as const) {
    it(`an unreadable document with ${name} is refused as ${type}`, () => {
      assert.deepEqual(judge(types('<!'), name), refused(type, { rule: 'document-form' }));
      assert.deepEqual(judge(types('macroEnabled'), name), refused(type, macros));
      assert.deepEqual(judge(types('<Types/>'), name, 'vbaProject.bin'), refused(type, macros));
    });
  }

  it('a document is refused as what it declares', () => {
    assert.deepEqual(judge(types(sheetTypes), 'word/document.xml'), refused(sheet, 'the main part is missing'));
    assert.deepEqual(judge(types(both), 'word/document.xml'), refused(word, { rule: 'hidden-file' }));
    assert.deepEqual(
      judge(types(sheetTypes), 'xl/workbook.xml', 'XL/workbook.xml'),
      refused(sheet, { rule: 'zip-names' }),
    );
  });
});

describe('an OpenDocument text', () => {
  const mimetype: File = { name: 'mimetype', content: openText };
  const manifest = 'META-INF/manifest.xml';
  for (const [what, files, expected] of [
    ['its parts', [mimetype, manifest, 'content.xml'], proved(openText)],
    ['names in another case', [mimetype, 'meta-inf/MANIFEST.xml', 'Content.XML'], proved(openText)],
    ['folders of macros without macros', [mimetype, manifest, 'content.xml', 'Basic/', 'Scripts/'], proved(openText)],
    [
      'other folders that are named like those of macros',
      [mimetype, manifest, 'content.xml', 'Pictures/basic/a', 'Basics/a'],
      proved(openText),
    ],
  ] as [string, (File | string)[], ReturnType<typeof proved>][]) {
    it(`an OpenDocument text is proved: ${what}`, () => assert.deepEqual(judge(...files), expected));
  }

  for (const [what, first] of [
    ['another name of its first entry', { ...mimetype, name: 'Mimetype' }],
    ['another type', { name: 'mimetype', content: openText.replace('text', 'tent') }],
    ['a longer type', { name: 'mimetype', content: `${openText}-template` }],
    ['a packed type', { ...mimetype, isPacked: true }],
    ['a type that is said to be packed', { ...mimetype, change: { method: 8 } }],
    ['a type that is said to be longer', { ...mimetype, change: { unpackedSize: 50 } }],
    ['an encrypted type', { ...mimetype, change: { flags: 1 } }],
    ['a type with a wrong checksum', { ...mimetype, change: { checksum: 1 } }],
  ] as [string, File][]) {
    it(`an archive is no OpenDocument text: ${what}`, () =>
      assert.deepEqual(judge(first, manifest, 'content.xml'), archive));
  }

  it('an archive is no OpenDocument text if its type is not the first entry', () =>
    assert.deepEqual(judge(manifest, mimetype, 'content.xml'), archive));

  for (const [what, files, reason] of [
    ['no content', [manifest], 'no content'],
    ['no manifest', ['content.xml'], 'no content'],
    ['content types of another kind of document', [manifest, 'content.xml', types(wordTypes)], { rule: 'hidden-file' }],
    ['macros', [manifest, 'content.xml', 'Basic/Standard/Module1.xml'], macros],
    ['macros behind a backslash', [manifest, 'content.xml', 'Basic\\Standard\\Module1.xml'], macros],
    [
      'a password',
      [{ name: manifest, content: '<manifest:encryption-data/>', isPacked: true }, 'content.xml'],
      encrypted,
    ],
    ['a password, as newer programs write it', [manifest, 'encrypted-package'], encrypted],
    [
      'a manifest that is damaged',
      [{ name: manifest, content: 'x', change: { checksum: 1 } }, 'content.xml'],
      `${manifest} is damaged`,
    ],
    ['scripts', [manifest, 'content.xml', 'scripts/python/x.py'], macros],
    ['two parts that differ in case', [manifest, 'content.xml', 'Content.xml'], { rule: 'zip-names' }],
    ['an encrypted part', [manifest, { name: 'content.xml', change: { flags: 1 } }], encrypted],
    [
      'a part packed in an unusual way',
      [manifest, { name: 'content.xml', change: { method: 9 } }],
      { rule: 'zip-form' },
    ],
  ] as [string, (File | string)[], Objection][]) {
    it(`an OpenDocument text is refused: ${what}`, () =>
      assert.deepEqual(judge(mimetype, ...files), refused(openText, reason)));
  }
});
