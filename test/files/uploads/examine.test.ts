// What an upload is refused for after its type is proved, and in which order the checks answer.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { FileBytes } from '#media/media-type';
import { buildZip } from '../../../media/test/helpers/media-builders.ts';
import { hex, joined } from '../../../media/test/helpers/media-files.ts';
import { end, grey, png } from '../../../media/test/helpers/png-builder.ts';
import type { Purpose } from '../../../src/files/purpose.ts';
import { examine } from '../../../src/files/uploads/examine.ts';
import type { Question } from '../../../src/files/uploads/examiner.ts';
import { pngFile, textFile } from '../../helpers/uploads/sample-files.ts';

const purpose: Purpose = {
  name: 'any',
  types: ['image/png', 'image/jpeg', 'text/plain'],
  maxBytes: 1000,
  readableBy: 'owner',
  served: 'inline',
};

function fileOf(bytes: Buffer): FileBytes {
  return { size: bytes.length, read: (position, length) => bytes.subarray(position, position + length) };
}

function ask(bytes: Buffer, limits: Partial<Purpose> = {}, question: Partial<Question> = {}) {
  const asked = { name: 'a', declaredType: undefined, digest: undefined, needsFingerprint: false, ...question };
  return examine(fileOf(bytes), { ...asked, purpose: { ...purpose, ...limits } });
}

const picture = pngFile(30, 20);
const cut = picture.subarray(0, -4);
const unknown = Buffer.from([0, 1, 2, 3]);
const polyglot = png(grey, ['IDAT', joined(hex('789c6360000000020001'), buildZip([{ name: 'a' }]))], end);
const archive = buildZip([{ name: 'a' }]);
const page = Buffer.from('<html>');
const linked = buildZip([{ name: 'a', attributes: 0xa1ff0000 }]);

describe('examining a file', () => {
  it('a picture of an allowed type is taken with its type, name and size in pixels', () => {
    const { examined, pieces } = ask(picture, {}, { name: 'dir/photo', declaredType: 'image/x-png' });
    assert.equal(pieces, undefined);
    assert.deepEqual(examined, { type: 'image/png', name: 'photo.png', width: 30, height: 20, charset: undefined });
  });

  it('a text is taken as the type that was declared, and has no pixels', () => {
    const limits = { types: ['text/csv' as const], maxPixels: 1, maxSide: 1 };
    const { examined } = ask(textFile, limits, { declaredType: 'text/csv' });
    const text = { type: 'text/csv', name: 'a.csv', width: undefined, height: undefined, charset: 'utf-8' };
    assert.deepEqual(examined, text);
  });

  it('a text keeps the charset that is declared, or that its bytes show', () => {
    const cafe = Buffer.from('caf\xe9', 'latin1');
    const charsetFor = (declaredType: string) => ask(cafe, {}, { declaredType }).examined.charset;
    assert.equal(charsetFor('text/plain; charset=koi8-r'), 'koi8-r');
    assert.equal(charsetFor('text/plain; charset=utf-8'), 'windows-1252');
    assert.equal(charsetFor('text/plain'), 'windows-1252');
  });

  for (const [size, name, declaredType, isTaken] of [
    [63, 'a', undefined, false],
    [63, 'a.bin', 'application/octet-stream', false],
    [63, 'a.txt', undefined, true],
    [63, 'a', 'text/plain', true],
    [64, 'a', undefined, true],
  ] as const) {
    it(`${size} bytes of an 8-bit encoding named ${name} and declared as ${declaredType} are ${isTaken ? '' : 'not '}taken as text`, () => {
      const asked = () => ask(Buffer.alloc(size, 0xe9), {}, { name, declaredType });
      if (isTaken) assert.equal(asked().examined.type, 'text/plain');
      else assert.throws(asked, { code: 'FILE_TYPE_NOT_ALLOWED' });
    });
  }

  it('a few bytes of an 8-bit encoding are a text without a name if at least half of them are ASCII', () => {
    const table = Buffer.from('name;city\nM\xfcller;K\xf6ln\n', 'latin1');
    assert.equal(ask(table).examined.charset, 'windows-1252');
    assert.equal(ask(Buffer.from('ab\xe9\xe9', 'latin1')).examined.charset, 'windows-1252');
    assert.throws(() => ask(Buffer.from('ab\xe9\xe9\xe9', 'latin1')), { code: 'FILE_TYPE_NOT_ALLOWED' });
  });

  it('a few bytes of Unicode are a text without a name', () =>
    assert.equal(ask(Buffer.from('é')).examined.charset, 'utf-8'));

  const list = { list: 'PNG, JPG, TXT' };
  for (const [what, bytes, limits, declaredType, code, detail] of [
    ['bytes of no known type', unknown, {}, undefined, 'FILE_TYPE_NOT_ALLOWED', list],
    ['bytes of no known type, declared as an unknown one', unknown, {}, 'image/bmp', 'FILE_TYPE_NOT_ALLOWED', list],
    ['bytes of no known type, declared as a known one', unknown, {}, 'image/gif', 'FILE_TYPE_MISMATCH', {}],
    ['bytes declared as text', unknown, {}, 'text/plain', 'FILE_TYPE_MISMATCH', { rule: 'binary-text' }],
    ['bytes declared as CSV', unknown, {}, 'application/csv', 'FILE_TYPE_MISMATCH', { rule: 'binary-text' }],
    [
      'bytes declared as an unknown text type',
      unknown,
      {},
      'text/markdown',
      'FILE_TYPE_NOT_ALLOWED',
      { ...list, rule: 'binary-text' },
    ],
    ['bytes declared as a workbook', unknown, {}, 'application/vnd.ms-excel', 'FILE_TYPE_NOT_ALLOWED', list],
    [
      'a picture declared as text',
      picture,
      {},
      'text/plain',
      'FILE_TYPE_MISMATCH',
      { rule: 'binary-text', type: 'PNG' },
    ],
    ['a page declared as text', page, {}, 'text/plain', 'FILE_TYPE_MISMATCH', { rule: 'active-text' }],
    ['a page', page, {}, undefined, 'FILE_TYPE_NOT_ALLOWED', { ...list, rule: 'active-text' }],
    ['a picture declared as another type', picture, {}, 'image/jpeg', 'FILE_TYPE_MISMATCH', { type: 'PNG' }],
    ['a picture declared as an unknown type', picture, {}, 'image/bmp', 'FILE_TYPE_MISMATCH', { type: 'PNG' }],
    ['a text declared as a picture', textFile, {}, 'image/png', 'FILE_TYPE_MISMATCH', { type: 'TXT' }],
    ['a text of a format that is unknown', textFile, {}, 'application/json', 'FILE_TYPE_NOT_ALLOWED', list],
    ['a page declared as a page', page, {}, 'text/html', 'FILE_TYPE_NOT_ALLOWED', list],
    ['an archive of a format that is unknown', archive, {}, 'application/epub+zip', 'FILE_TYPE_NOT_ALLOWED', list],
    ['an archive declared as a picture', archive, {}, 'image/png', 'FILE_TYPE_MISMATCH', { type: 'ZIP' }],
    [
      'a mismatch before a type that is not allowed',
      picture,
      { types: ['image/gif'] },
      'image/gif',
      'FILE_TYPE_MISMATCH',
      { type: 'PNG' },
    ],
    [
      'a type that the purpose does not allow',
      picture,
      { types: ['image/gif', 'audio/ogg'] },
      undefined,
      'FILE_TYPE_NOT_ALLOWED',
      { list: 'GIF, OGG', type: 'PNG', whole: { type: 'image/png', width: 30, height: 20 } },
    ],
    [
      'a text whose declared type is not allowed',
      textFile,
      {},
      'text/csv',
      'FILE_TYPE_NOT_ALLOWED',
      { ...list, type: 'CSV', whole: { type: 'text/csv', width: undefined, height: undefined } },
    ],
    ['a mismatch before a damage', cut, {}, 'image/jpeg', 'FILE_TYPE_MISMATCH', { type: 'PNG' }],
    [
      'a type that is not allowed before a damage',
      cut,
      { types: ['text/plain'] },
      undefined,
      'FILE_TYPE_NOT_ALLOWED',
      { list: 'TXT', type: 'PNG' },
    ],
    [
      'a rule that excludes the file from every purpose, before a type that is not allowed',
      linked,
      {},
      undefined,
      'FILE_TYPE_NOT_ALLOWED',
      { ...list, rule: 'zip-links' },
    ],
    ['a damage', cut, { maxPixels: 1 }, undefined, 'FILE_CORRUPT', {}],
    [
      'a file of another format hidden in it',
      polyglot,
      { maxPixels: 1 },
      undefined,
      'FILE_TYPE_NOT_ALLOWED',
      { ...list, rule: 'hidden-file' },
    ],
  ] as const) {
    it(`a file is refused: ${what}`, () => {
      assert.throws(() => ask(bytes, limits, { declaredType }), { code, detail });
    });
  }

  it('the log gets the type and the reason of a damage', () => {
    assert.throws(
      () => ask(cut),
      ({ cause }: Error) => /^image\/png: \S/.test(String(cause)),
    );
  });

  const megapixel = 1e6;
  for (const [width, height, limits, limit] of [
    [30, 20, { maxPixels: 600 }, undefined],
    [30, 20, { maxPixels: 599 }, '0 MP'],
    [30, 20, { maxSide: 30 }, undefined],
    [30, 20, { maxSide: 29 }, '29 px'],
    [20, 30, { maxSide: 29 }, '29 px'],
    [30, 20, { maxPixels: 2 * megapixel, maxSide: 29 }, '2 MP, 29 px'],
    [30, 20, { maxPixels: 599, maxSide: 40 }, '0 MP, 40 px'],
    [30, 20, { maxPixels: 600, maxSide: 30 }, undefined],
    [30, 20, {}, undefined],
    [1300, 1200, { maxPixels: 1.55 * megapixel }, '2 MP'],
  ] as const) {
    it(`a picture of ${width} × ${height} is ${limit ?? 'taken'} for ${JSON.stringify(limits)}`, () => {
      const examined = () => ask(pngFile(width, height), limits);
      if (limit === undefined) assert.equal(examined().examined.width, width);
      else assert.throws(examined, { code: 'FILE_IMAGE_TOO_LARGE', detail: { limit } });
    });
  }
});
