// The charset of a text: a declared one counts if it is safe and fits the bytes, and a byte order mark outweighs it.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { chooseCharset } from '../src/charset.ts';
import { hex, inMemory, joined, type Part } from './helpers/media-files.ts';

function choose(detected: string, declared: string | undefined, ...parts: Part[]): string {
  return chooseCharset(inMemory(joined(...parts)), detected, declared);
}

const cafe = 'caf\xe9';
const cp1252 = 'windows-1252';

describe('the charset of a text', () => {
  for (const [declared, expected] of [
    ['windows-1252', 'windows-1252'],
    ['latin1', 'windows-1252'],
    ['ISO-8859-1', 'iso-8859-1'],
    ['iso-8859-2', 'iso-8859-2'],
    ['iso-8859-15', 'iso-8859-15'],
    ['iso-8859-8-i', 'iso-8859-8-i'],
    ['koi8-r', 'koi8-r'],
    ['koi8-u', 'koi8-u'],
    ['cp1251', 'windows-1251'],
    ['windows-1258', 'windows-1258'],
    ['windows-874', 'windows-874'],
    ['ibm866', 'ibm866'],
    ['macintosh', 'macintosh'],
    ['x-mac-cyrillic', 'x-mac-cyrillic'],
  ] as const) {
    it(`the declared charset ${declared} counts as ${expected}`, () =>
      assert.equal(choose('detected', declared, cafe), expected));
  }

  for (const [declared, expected, bytes] of [
    ['shift_jis', 'shift_jis', hex('96bc914f')],
    ['Windows-31J', 'shift_jis', hex('96bc914f')],
    ['euc-jp', 'euc-jp', hex('ccbec1b0')],
    ['gb2312', 'gbk', hex('d5c5c8fd')],
    ['gb18030', 'gb18030', hex('8130843281308432')],
    ['big5', 'big5', hex('a4a4a4e5')],
    ['ks_c_5601-1987', 'euc-kr', hex('c7d1b1db')],
  ] as const) {
    it(`the declared charset ${declared} counts as ${expected} for bytes that it can read, and for no others`, () => {
      assert.equal(choose(cp1252, declared, bytes), expected);
      // The first byte of a character alone.
      assert.equal(choose(cp1252, declared, bytes, bytes.subarray(0, 1)), cp1252);
    });
  }

  for (const declared of [
    'us-ascii',
    'ASCII',
    'utf-7',
    'hz-gb-2312',
    'iso-2022-jp',
    'iso-2022-kr',
    'iso-2022-cn',
    'replacement',
    'x-user-defined',
    'utf-16',
    'utf-16le',
    'utf-16be',
    'utf-32',
    'cesu-8',
    'ebcdic-cp-us',
    'binary',
    'nonsense',
    '',
    'latin1\r\nx: y',
    undefined,
  ]) {
    it(`the declared charset ${JSON.stringify(declared)} is ignored`, () =>
      assert.equal(choose('detected', declared, cafe), 'detected'));
  }

  it('a declared UTF-8 counts only for bytes that are UTF-8', () => {
    assert.equal(choose(cp1252, 'utf-8', cafe), cp1252);
    assert.equal(choose('utf-8', 'utf-8', 'words'), 'utf-8');
  });

  it('a byte order mark outweighs the declared charset', () => {
    assert.equal(choose('utf-8', 'koi8-r', hex('efbbbf'), 'words'), 'utf-8');
    assert.equal(choose('utf-16le', 'koi8-r', hex('fffe6100')), 'utf-16le');
    assert.equal(choose('utf-8', 'koi8-r', 'words'), 'koi8-r');
  });

  it('a character may be on the border between two pieces, and a bad one is found in each', () => {
    const letter = hex('96bc');
    for (const before of [0, 1, 262_143, 262_144, 300_000]) {
      assert.equal(choose(cp1252, 'shift_jis', Buffer.alloc(before, 'a'), letter, 'words'), 'shift_jis', `${before}`);
      assert.equal(choose(cp1252, 'shift_jis', Buffer.alloc(before, 'a'), hex('ff')), cp1252, `${before}`);
      assert.equal(choose(cp1252, 'shift_jis', Buffer.alloc(before, 'a'), hex('96')), cp1252, `${before}`);
    }
  });
});
