// Proves that a file name cannot be a path, hide its extension, or break out of its header.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { create, parse } from 'content-disposition';
import { cleanFileName } from '../../src/files/file-name.ts';

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
});
