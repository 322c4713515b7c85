// Hostile office documents: macros, missing and duplicate parts, misleading content types.
import type { HostileFile } from './hostile-media.ts';
import { buildZip, contentTypes, sheetMain, wordMain, type ZipPart } from './media-builders.ts';

const macroMain = 'application/vnd.ms-word.document.macroEnabled.main+xml';
const openText = 'application/vnd.oasis.opendocument.text';
const wordTypes = contentTypes(['word/document.xml', wordMain]);

export function hostileOffice(): HostileFile[] {
  return [...spoiltOpenXml(), ...spoiltOpenText()].map(([name, bytes, refusal]) => ({
    name: `office: ${name}`,
    bytes,
    refusal,
  }));
}

function spoiltOpenXml(): [string, Buffer, RegExp][] {
  const hidden = wordTypes.replace('</Types>', '<Default Extension="b" ContentType="x/&#118;baProject"/></Types>');
  const huge = wordTypes + ' '.repeat(2 * 1024 * 1024);
  const both = contentTypes(['word/document.xml', wordMain], ['xl/workbook.xml', sheetMain]);
  const utf16 = Buffer.from(wordTypes, 'utf16le');
  const project = contentTypes(['word/document.xml', wordMain], ['word/x.bin', 'application/vnd.ms-office.vbaProject']);
  const macroSheet = contentTypes(
    ['xl/workbook.xml', sheetMain],
    ['xl/m.xml', 'application/vnd.ms-excel.macrosheet+xml'],
  );
  const alone = buildZip([{ name: '[Content_Types].xml', content: wordTypes, method: 8 }]);
  const liar = word(huge, undefined, { unpackedSize: 600, localSize: 600 });
  return [
    ['a document type with macros', word(contentTypes(['word/document.xml', macroMain])), /macro/],
    ['a macro part by its name', word(wordTypes, { name: 'word/vbaProject.bin' }), /macro/],
    ['a macro part by its type', word(project), /macro/],
    ['a macro sheet', word(macroSheet), /macro/],
    ['a macro type written with an entity', word(hidden), /unreadable/],
    ['content types with a document type', word(`<!DOCTYPE x>${wordTypes}`), /unreadable/],
    ['content types in UTF-16', word(utf16), /unreadable/],
    ['content types of two megabytes', word(huge), /unreadable/],
    ['content types that inflate to more than they say', liar, /unreadable/],
    ['a main part that is missing', alone, /missing/],
    ['two main parts', word(both, { name: 'xl/workbook.xml' }), /two main parts/],
    ['two parts that differ in case', word(wordTypes, { name: 'Word/Document.xml' }), /one name/],
    ['an encrypted part', word(wordTypes, { name: 'word/secret.xml', flags: 1 }), /encrypted/],
    ['a part packed in an unusual way', word(wordTypes, { name: 'word/other.xml', method: 12 }), /unusual/],
  ];
}

function word(types: string | Buffer, more?: ZipPart, lie: Partial<ZipPart> = {}): Buffer {
  const parts: ZipPart[] = [
    { name: '[Content_Types].xml', content: types, method: 8, ...lie },
    { name: 'word/document.xml', content: '<document/>' },
  ];
  return buildZip(more === undefined ? parts : [...parts, more]);
}

function spoiltOpenText(): [string, Buffer, RegExp][] {
  const text = (...more: ZipPart[]): Buffer =>
    buildZip([{ name: 'mimetype', content: openText }, { name: 'META-INF/manifest.xml' }, ...more]);
  return [
    ['an ODT without content', text(), /no content/],
    ['an ODT with macros', text({ name: 'content.xml' }, { name: 'Basic/Standard/Module1.xml' }), /macro/],
    ['an ODT with scripts', text({ name: 'content.xml' }, { name: 'Scripts/python/x.py' }), /macro/],
    [
      'an ODT that is also a DOCX',
      text({ name: 'content.xml' }, { name: '[Content_Types].xml', content: wordTypes }),
      /two kinds/,
    ],
    ['an ODT with an encrypted part', text({ name: 'content.xml', flags: 1 }), /encrypted/],
  ];
}
