// Plain text: UTF-8, UTF-16 or an 8-bit encoding, without control characters and without what a browser, a shell or a word processor would run.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { excluded, provedText } from '../../../src/proof.ts';
import { hasActiveMarkup } from '../../../src/proofs/text/active-markup.ts';
import { proveText } from '../../../src/proofs/text/text.ts';
import { proofOf } from '../../helpers/assert-proofs.ts';
import { fixtures, hex, joined, type Part, uncopied } from '../../helpers/media-files.ts';

const isText = provedText('utf-8');
const is8Bit = provedText('windows-1252');
const isActive = excluded(undefined, 'active-text');
/** The file is read in pieces of this length. */
const pieceBytes = 262_144;
const mark = hex('efbbbf');

function judge(...parts: Part[]) {
  return proofOf(proveText, joined(...parts));
}

const utf8 = (text: string) => Buffer.from(text);

/** With the mark of the charset, or without one. */
function utf16(text: string, charset: 'utf-16le' | 'utf-16be' | ''): Buffer {
  const bytes = Buffer.from(charset === '' ? text : `\ufeff${text}`, 'utf16le');
  return charset === 'utf-16be' ? bytes.swap16() : bytes;
}

describe('text', () => {
  for (const { name, bytes } of fixtures().filter(({ type }) => type.startsWith('text/'))) {
    it(`a text of a real program is proved: ${name}`, () => assert.deepEqual(proofOf(proveText, bytes), isText));
  }

  for (const [what, text] of [
    ['one letter', 'a'],
    ['a byte order mark', joined(mark, 'words')],
    ['a byte order mark in the middle', joined('words', mark, 'words')],
    ['tabs, form feeds and all line ends', 'a\tb\fc\r\nd\ne\r'],
    ['the delete character', 'a\x7fb'],
    ['only blanks', ' \n\t'],
    ['letters of all lengths', utf8('aé語😀')],
    ['the largest code point', hex('f48fbfbf')],
    ['a less-than sign', 'if a <3 then b < c'],
    [
      'words in angle brackets that are not tags',
      'mail <header@example.org>, <htmlish>, git cat-file <object>, <b>, <a href>',
    ],
    ['tags with another meaning', 'words <head> <link> <object> <style> <p> <!-- words -->'],
    ['words that begin like other types', 'RIFF, ID3 and OggS are formats'],
    ['a slash and bang in the middle', 'words #!/bin/sh %!ps {\\rtf'],
    ['a closing tag', 'words </script'],
    ['a tag with a blank behind the bracket', 'words < script>'],
    ['the beginning of a tag at the end', 'words <scrip'],
    ['an opening without a name', '<3 words'],
    ['an opening with a digit', '<1 words'],
    ['a bracket at the end', 'words <'],
  ] as const) {
    it(`a text is proved: ${what}`, () => assert.deepEqual(judge(text), isText));
  }

  for (const [what, bytes] of [
    ['an empty file', ''],
    ['a byte order mark and nothing else', mark],
    ['an end of file and nothing else', '\x1a'],
    ['two ends of file', 'words\x1a\x1a'],
    ['an end of file before the end', 'words\x1awords'],
    ['the escapes of ISO-2022-JP', 'a \x1b$B$3\x1b(B'],
    ['a NUL in an 8-bit encoding', 'caf\xe9\0'],
    ['UTF-16 without a mark', utf16('words', '')],
    ['UTF-32 in either order, which begins like UTF-16 or has NUL', hex('fffe000061000000')],
    ['UTF-32 in big endian', hex('0000feff00000061')],
    ['a mark of UTF-16 and nothing else', hex('fffe')],
  ] as const) {
    it(`a text is refused: ${what}`, () => assert.equal(judge(bytes), undefined));
  }

  it('active markup is found behind many tags that are not, in every spelling and at the end of the file', () => {
    const many = 'x <b>words</b> <p>'.repeat(200);
    assert.deepEqual(judge(many), isText);
    for (const tag of [
      'script>',
      'HTML ',
      'svg/',
      'IFrame\n',
      'frameset\t',
      'embed>',
      'Applet>',
      '?PHP',
      '!DOCTYPE HTML',
    ])
      for (const rest of [' words', many]) assert.deepEqual(judge(many, `<${tag}`, rest), isActive, tag);
    assert.deepEqual(judge(many, '<SVG'), isActive);
    assert.deepEqual(judge(many, '<i>words</i> <a> <html5>', many), isText);
    assert.deepEqual(judge(many, '<'), isText);
  });

  it('a text may end with the end of file of DOS', () => {
    assert.deepEqual(judge('words\r\n\x1a'), isText);
    assert.deepEqual(judge('caf\xe9\x1a'), is8Bit);
    assert.deepEqual(judge(Buffer.alloc(pieceBytes, 'a'), '\x1a'), isText);
  });

  for (const [what, bytes] of [
    ['a CSV of a German Excel', 'name;city\nM\xfcller;K\xf6ln\n'],
    ['a CSV of a Japanese Excel, in Shift_JIS', hex('96bc914f2c8f5a8f8a0d0a8e52936320836783898f')],
    ['a CSV of a Russian Excel, in windows-1251', hex('c8ecff3bc3eef0ee')],
    ['Chinese in GBK', hex('d5c5c8fd2c3235')],
    ['all bytes from 0x80', Buffer.from(Array.from({ length: 128 }, (_, index) => 128 + index))],
    ['a continuation byte alone', hex('618062')],
    ['an overlong slash', hex('61c0af')],
    ['a surrogate', hex('61eda080')],
    ['a code point beyond Unicode', hex('61f4908080')],
    ['a character of UTF-8 cut at the end', hex('61e282')],
    ['a mark of UTF-8 before other bytes', joined(mark, 'caf\xe9')],
  ] as const) {
    it(`a text that is not Unicode is proved in an 8-bit encoding: ${what}`, () =>
      assert.deepEqual(judge(bytes), is8Bit));
  }

  it('a control character is found at any position of a text', () => {
    const allowed = [0x09, 0x0a, 0x0c, 0x0d];
    for (let byte = 0; byte < 0x80; byte++) {
      for (let shift = 1; shift < 10; shift++) {
        const proof = judge('x'.repeat(shift), [byte], 'some more words');
        assert.deepEqual(proof, byte >= 0x20 || allowed.includes(byte) ? isText : undefined, `${byte} at ${shift}`);
      }
    }
  });

  it('a control character is found wherever the text is in memory', () => {
    for (let offset = 0; offset < 5; offset++) {
      for (let length = 1; length < 14; length++) {
        // Zeros are before and behind the text.
        const text = Buffer.alloc(32)
          .subarray(offset, offset + length)
          .fill('a');
        assert.deepEqual(proveText(uncopied(text)), isText, `${length} bytes at ${offset}`);
        for (let at = 0; at < length; at++) {
          text.fill('a')[at] = 0x07;
          assert.equal(proveText(uncopied(text)), undefined, `${at} of ${length} bytes at ${offset}`);
        }
      }
    }
  });

  it('a control character is found beside every other character', () => {
    for (let byte = 0x09; byte < 0x80; byte++) {
      if (byte < 0x20 && ![0x09, 0x0a, 0x0c, 0x0d].includes(byte)) continue;
      for (const control of [0x00, 0x08, 0x0b, 0x0e, 0x1f]) {
        assert.equal(judge(Array(4).fill(byte), [byte, control, byte, byte], Array(4).fill(byte)), undefined);
        assert.deepEqual(judge('xx', Array(12).fill(byte)), isText);
      }
    }
  });

  it('a control character is found in every piece of a text, and at its very end', () => {
    for (const at of [0, pieceBytes - 1, pieceBytes, pieceBytes + 1, pieceBytes + 5_000])
      assert.equal(
        judge(Buffer.alloc(at, 'a'), '\x07', Buffer.alloc(pieceBytes + 5_000 - at, 'a')),
        undefined,
        `${at}`,
      );
  });

  it('a character may be on the border between two pieces', () => {
    for (const letter of ['é', '¿', '語', '😀']) {
      for (let before = 1; before <= 4; before++)
        assert.deepEqual(
          judge(Buffer.alloc(pieceBytes - before, 'a'), utf8(letter), 'end'),
          isText,
          `${letter} ${before}`,
        );
    }
  });

  it('a character that is cut on the border between two pieces is no UTF-8', () => {
    for (const cut of [[0xc3], [0xe2, 0x82], [0xf0, 0x9f, 0x98], [0x80], [0x80, 0x80, 0x80, 0x80]])
      assert.deepEqual(judge(Buffer.alloc(pieceBytes - cut.length, 'a'), cut, 'b'.repeat(20)), is8Bit, `${cut}`);
  });

  it('a file that ends before its size is no text', () => {
    const read = (position: number) => (position === 0 ? Buffer.from('some words') : Buffer.alloc(0));
    assert.equal(proveText({ size: 20, read }), undefined);
  });

  it('text of nothing but continuation bytes ends', () =>
    assert.deepEqual(judge(Buffer.alloc(pieceBytes + 10, 0x80)), is8Bit));

  it('a text stays in an 8-bit encoding when only one of its pieces is no UTF-8', () => {
    const word = utf8('é');
    assert.deepEqual(judge(word, Buffer.alloc(pieceBytes, 'a'), '\xe9', Buffer.alloc(pieceBytes, 'a'), word), is8Bit);
    assert.equal(judge('\xe9', Buffer.alloc(2 * pieceBytes, 'a'), '\x07'), undefined);
  });
});

describe('text in UTF-16', () => {
  for (const charset of ['utf-16le', 'utf-16be'] as const) {
    const written = (text: string) => utf16(text, charset);
    const isUtf16 = provedText(charset);

    it(`a text with the mark of ${charset} is proved, with letters of all lengths`, () => {
      for (const text of [
        'a',
        'name\tcity\r\nMüller\tKöln\r\n',
        '名前',
        '😀',
        '\u013c\u0100\u0a07',
        'words\x1a',
        ' \n',
      ])
        assert.deepEqual(judge(written(text)), isUtf16, JSON.stringify(text));
    });

    it(`a text in ${charset} with a control, half a character or half a pair is refused`, () => {
      for (const text of ['a\0b', 'a\x07', '\x1a', 'a\ud83d', 'a\ude00b', '\ud83d\ud83d\ude00'])
        assert.equal(judge(written(text)), undefined, JSON.stringify(text));
      assert.equal(judge(written('words'), 'a'), undefined);
    });

    it(`a text in ${charset} that something would run is refused as active`, () => {
      for (const text of ['<html>', ' \n<?xml', '#!/bin/sh', 'words <ScRipt>', 'words <svg', 'é <!doctype HTML'])
        assert.deepEqual(judge(written(text)), isActive, text);
      for (const text of ['words <scripted>', 'words \u013cscript>', 'words <\u0173cript>'])
        assert.deepEqual(judge(written(text)), isUtf16, text);
    });

    it(`a pair of surrogates and markup may be on the border between two pieces of ${charset}`, () => {
      for (let before = 1; before <= 16; before++) {
        const around = (text: string) => judge(written('x'.repeat(pieceBytes / 2 - before) + text));
        assert.deepEqual(around('😀 words'), isUtf16, `${before}`);
        assert.equal(around('\ud83d words'), undefined, `${before}`);
        assert.deepEqual(around('<script>'), isActive, `${before}`);
        assert.deepEqual(around('<scripted>'), isUtf16, `${before}`);
      }
    });
  }
});

describe('text that something would run', () => {
  const openings = [
    '<!DOCTYPE html>',
    '<!-- words -->',
    '<?xml version="1.0"?>',
    '<?php',
    '<% words',
    '<a>',
    '<Z>',
    '<svg/>',
    '%!PS-Adobe',
    '%!ps',
    '#!/bin/sh',
    '#! words',
    '{\\rtf1',
    '{\\RTF',
  ];
  for (const opening of openings) {
    it(`a text that begins with “${opening}” is refused, also behind a mark and blanks`, () => {
      assert.deepEqual(judge(opening), isActive);
      assert.deepEqual(judge(opening, '\nwords'), isActive);
      assert.deepEqual(judge(' \t\r\n\f', opening), isActive);
      assert.deepEqual(judge(mark, '\n', opening), isActive);
    });
  }

  it('a text that begins with an opening behind more blanks than a piece has is refused', () => {
    for (let more = -8; more <= 8; more++)
      assert.deepEqual(judge(' '.repeat(pieceBytes + more), '#!/bin/sh'), isActive, `${more}`);
  });

  it('a text that begins with an opening behind 60 KB of blanks is refused', () =>
    assert.deepEqual(judge(' '.repeat(60_000), '#!/bin/sh'), isActive));

  const names = ['script', 'html', 'svg', 'iframe', 'frameset', 'embed', 'applet'];
  for (const name of names) {
    it(`a text with the tag <${name}> is refused, in any notation`, () => {
      for (const next of ['>', ' ', '/', '\n', '\t', '\r', '\f'])
        assert.deepEqual(judge('words <', name, next, 'x'), isActive, next);
      assert.deepEqual(judge('words <', name.toUpperCase(), '>'), isActive);
      assert.deepEqual(judge('words <', name), isActive, 'at the end');
      assert.deepEqual(judge('words <', name, 'ish>'), isText);
      assert.deepEqual(judge('words <', name, '-x>'), isText);
      assert.deepEqual(judge('words <', name, 's'), isText);
    });
  }

  it('a text with a document type or PHP is refused', () => {
    for (const markup of ['<!doctype html', '<!DOCTYPE HTML>', '<?php', '<?PHP system("id");'])
      assert.deepEqual(judge('words ', markup), isActive, markup);
    for (const other of ['<!doctype book', '<?xml', '<!doctype'])
      assert.deepEqual(judge('words ', other), isText, other);
  });

  it('markup is found on the border between two pieces, and longer words that begin like it are accepted', () => {
    const bytes = Buffer.alloc(pieceBytes + 60);
    for (let before = 0; before <= 16; before++) {
      const around = (text: string) => {
        bytes.fill('x').write(text, pieceBytes - before, 'latin1');
        return proveText(uncopied(bytes));
      };
      assert.deepEqual(around('<ScRipt>'), isActive, `${before}`);
      assert.deepEqual(around('<!doctype HTML'), isActive, `${before}`);
      assert.deepEqual(around('<frameset>'), isActive, `${before}`);
      assert.deepEqual(around('<scripted>'), isText, `${before}`);
    }
  });

  it('markup is found among many places that look like it, in every position', () => {
    for (let shift = 0; shift < 5; shift++) {
      for (const [other, count] of [
        ['<s', 1000],
        ['<x ', 10],
        ['<', 1000],
        ['< ', 100],
        ['<1', 1000],
      ] as const) {
        const around = (tag: string) => judge('x'.repeat(1 + shift), other.repeat(count), tag, other.repeat(count));
        assert.deepEqual(around('<script>'), isActive, `${shift} ${other}`);
        assert.deepEqual(around('<!DOCTYPE html'), isActive, `${shift} ${other}`);
        assert.deepEqual(around('<?php'), isActive, `${shift} ${other}`);
        assert.deepEqual(around('<scripts>'), isText, `${shift} ${other}`);
      }
    }
  });

  it('markup is found in a text of any 8-bit encoding', () => {
    for (const before of ['\xfc', '\x83', '\x81\x30\x81', '\xff'])
      assert.deepEqual(judge('words ', before, '<script>'), isActive);
  });

  it('a control outweighs markup: such bytes are no text', () => {
    assert.equal(judge('<script>\0'), undefined);
    assert.equal(judge('\0words <script>'), undefined);
  });

  it('markup is found far behind the first piece', () => {
    for (const at of [70_000, 2 * pieceBytes + 100])
      assert.deepEqual(judge(Buffer.alloc(at, 'x'), '<script>', Buffer.alloc(50_000, 'y')), isActive);
  });

  it('a tag that a piece ends with is not a tag if the word goes on', () => {
    assert.deepEqual(judge(Buffer.alloc(pieceBytes - 7, 'x'), '<script', 'ed words'), isText);
    assert.deepEqual(judge(Buffer.alloc(pieceBytes - 7, 'x'), '<script'), isActive);
    assert.deepEqual(judge(Buffer.alloc(pieceBytes - 6, 'x'), '<script'), isActive);
  });
});

describe('active markup in a piece of another file', () => {
  for (const [text, expected] of [
    ['words <script>', true],
    ['words <script', true],
    ['<!DOCTYPE html', true],
    ['<?php', true],
    ['words <scripted', false],
    ['words', false],
    ['', false],
  ] as const) {
    it(`active markup is ${expected ? '' : 'not '}found in “${text}”`, () =>
      assert.equal(hasActiveMarkup(joined(text)), expected));
  }
});
