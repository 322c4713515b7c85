// Proves that a file name cannot be a path, hide its extension, or break out of its header.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { create, parse } from 'content-disposition';
import fc from 'fast-check';
import { mediaTypeNames, mediaTypes } from '#media/media-type';
import { cleanFileName, isPlainFileName } from '../../src/files/file-name.ts';
import { seed } from '../helpers/faults/rounds.ts';

const hostile = [
  '../../etc/passwd',
  '..\\..\\windows\\system32\\a.png',
  'a\r\nset-cookie: JWT=x\r\n\r\n<script>.png',
  'a"; filename="b.html',
  "a'; filename*=utf-8''b.html",
  'evil\u202egnp.exe',
  'a\0.png',
  '.htaccess',
  '...',
  '',
  ' ',
  'CON',
  'nul.png',
  'a.png.html',
  '😀'.repeat(300),
  '名前.png',
  'x'.repeat(64 * 1024),
];

describe('the name of a file', () => {
  it('a file name is sanitised: no path, nothing invisible, the right extension, at most 255 bytes', () => {
    for (const given of hostile) {
      const name = cleanFileName(given, 'image/png');
      assert.doesNotMatch(name, /[\p{Cc}\p{Cf}\\/"<>:|?*]/u, JSON.stringify(given));
      assert.match(name, /^[^.].*\.png$/u);
      assert.doesNotMatch(name, /^(con|nul)\./i);
      assert.ok(Buffer.byteLength(name) <= 255);
      assert.ok(name.isWellFormed());
    }
  });

  it('a file name fits into one header of ASCII characters and is parsed back unchanged', () => {
    for (const given of hostile) {
      const name = cleanFileName(given, 'image/png');
      const header = create(name, { type: 'attachment' });
      assert.match(header, /^attachment; [\x20-\x7e]+$/);
      assert.equal(parse(header).parameters.filename, name);
    }
  });

  for (const [given, type, expected] of [
    [undefined, 'image/png', 'file.png'],
    ['', 'image/png', 'file.png'],
    ['photo.png', 'image/png', 'photo.png'],
    ['photo.PNG', 'image/png', 'photo.PNG'],
    ['photo.jpeg', 'image/jpeg', 'photo.jpeg'],
    ['photo.jpg', 'image/jpeg', 'photo.jpg'],
    ['photo', 'image/jpeg', 'photo.jpg'],
    ['photo.', 'image/jpeg', 'photo.jpg'],
    ['photo.png', 'image/jpeg', 'photo.png.jpg'],
    ['photo.png.jpg', 'image/jpeg', 'photo.png.jpg'],
    ['archive.tar.gz', 'application/zip', 'archive.tar.gz.zip'],
    ['.png', 'image/png', 'png.png'],
    [' . .photo.png ', 'image/png', 'photo.png'],
    ['a photo .png', 'image/png', 'a photo .png'],
    ['C:\\Users\\ann\\photo.png', 'image/png', 'photo.png'],
    ['/home/ann/photo.png', 'image/png', 'photo.png'],
    ['a/b\\c/d.png', 'image/png', 'd.png'],
    ['a\n/b\n/photo.png', 'image/png', 'photo.png'],
    ['folder/', 'image/png', 'file.png'],
    ['a\tb\u200bc\u2028d\u2029e"<>:|?*f.png', 'image/png', 'abcdef.png'],
    ['evil\u202egnp.exe', 'image/png', 'evilgnp.exe.png'],
    ['e\u0301.png', 'image/png', '\u00e9.png'],
    ['e\u200d\u0301.png', 'image/png', '\u00e9.png'],
    ['a\ud800.png', 'image/png', 'a\ufffd.png'],
    ['CON', 'image/png', 'file.png'],
    ['prn.png', 'image/png', 'file.png'],
    ['Aux.txt', 'image/png', 'file.png'],
    ['nul .html', 'image/png', 'file.png'],
    ['com1.tar.gz', 'image/png', 'file.png'],
    ['LPT9.png', 'image/png', 'file.png'],
    ['COM¹.png', 'image/png', 'file.png'],
    ['com10.png', 'image/png', 'com10.png'],
    ['console.png', 'image/png', 'console.png'],
    ['falcon.png', 'image/png', 'falcon.png'],
    ['x'.repeat(300), 'image/png', `${'x'.repeat(251)}.png`],
    [`${'x'.repeat(251)}.png`, 'image/png', `${'x'.repeat(251)}.png`],
    [`${'x'.repeat(252)}.png`, 'image/png', `${'x'.repeat(251)}.png`],
    ['é'.repeat(200), 'image/jpeg', `${'é'.repeat(125)}.jpg`],
    ['😀'.repeat(200), 'image/webp', `${'😀'.repeat(62)}.webp`],
  ] as const) {
    const shown = given === undefined ? 'no name' : JSON.stringify(given.slice(0, 40));
    it(`a file of the type ${type} sent with ${shown} is named ${expected.slice(0, 40)}`, () => {
      assert.equal(cleanFileName(given, type), expected);
    });
  }

  it('any name becomes a safe name of its type, and a safe name stays as it is', () => {
    const odd = fc.constantFrom(
      '.',
      ' ',
      '/',
      '\\',
      '"',
      '\u202e',
      '\u0301',
      '\ud800',
      'con',
      'nul',
      'png',
      'CON',
      '😀',
      'x',
    );
    const name = fc.oneof(
      fc.array(fc.nat(0xffff), { maxLength: 20 }).map((units) => String.fromCharCode(...units)),
      fc.tuple(odd, fc.nat(260)).map(([word, times]) => word.repeat(times)),
      fc.array(odd, { maxLength: 12 }).map((words) => words.join('')),
      fc.constantFrom(...mediaTypeNames).map((type) => `a.${mediaTypes[type].extensions[0]}`),
    );
    fc.assert(
      fc.property(name, fc.constantFrom(...mediaTypeNames), (given, type) => {
        const clean = cleanFileName(given, type);
        const ending = clean.slice(clean.lastIndexOf('.') + 1).toLowerCase();
        assert.ok((mediaTypes[type].extensions as readonly string[]).includes(ending), clean);
        assert.match(clean, /^[^.\s]/u);
        assert.doesNotMatch(clean, /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\\/"<>:|?*]/u);
        assert.doesNotMatch(clean, /^(con|prn|aux|nul|com\d|lpt\d)\s*\./i);
        assert.ok(Buffer.byteLength(clean) <= 255 && clean.isWellFormed() && clean.normalize('NFC') === clean);
        assert.equal(cleanFileName(clean, type), clean);
        assert.ok(isPlainFileName(clean), 'every stored name can be restored from a backup');
      }),
      { numRuns: 400, seed },
    );
  });
});

describe('a name that is to be the last piece of a path', () => {
  for (const name of ['', '.', '..', 'a/b', '../a', 'a\\b', 'a\0b', 'a\nb', 'a'.repeat(256)])
    it(`${JSON.stringify(name.slice(0, 20))} is no plain one`, () => assert.equal(isPlainFileName(name), false));
  for (const name of ['a', '...', '.a', 'a b.png', 'Ünïcode 😀.png', 'a'.repeat(255)])
    it(`${JSON.stringify(name.slice(0, 20))} is a plain one`, () => assert.equal(isPlainFileName(name), true));
});
