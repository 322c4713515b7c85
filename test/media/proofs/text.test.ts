// Plain text: UTF-8 without control characters, and without what a browser, a shell or a word processor would run.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { proved } from '../../../src/media/media-type.ts';
import { hasActiveMarkup, proveText } from '../../../src/media/proofs/text.ts';
import { proofOf } from '../../helpers/media/assert-proofs.ts';
import { fixtures, hex, joined, type Part, uncopied } from '../../helpers/media/media-files.ts';

const isText = proved('text/plain');
/** The file is read in pieces of this length. */
const pieceBytes = 262_144;
const mark = hex('efbbbf');

function judge(...parts: Part[]) {
  return proofOf(proveText, joined(...parts));
}

const utf8 = (text: string) => Buffer.from(text);

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
    ['a continuation byte alone', hex('618062')],
    ['an overlong slash', hex('61c0af')],
    ['a surrogate', hex('61eda080')],
    ['a code point beyond Unicode', hex('61f4908080')],
    ['a character cut at the end', hex('61e282')],
    ['Latin-1', 'caf\xe9'],
    ['UTF-16', hex('fffe61006200')],
  ] as const) {
    it(`a text is refused: ${what}`, () => assert.equal(judge(bytes), undefined));
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

  it('a character that is cut on the border between two pieces is refused', () => {
    for (const cut of [[0xc3], [0xe2, 0x82], [0xf0, 0x9f, 0x98], [0x80], [0x80, 0x80, 0x80, 0x80]])
      assert.equal(judge(Buffer.alloc(pieceBytes - cut.length, 'a'), cut, 'b'.repeat(20)), undefined, `${cut}`);
  });

  it('a file that ends before its size is no text', () => {
    const read = (position: number) => (position === 0 ? Buffer.from('some words') : Buffer.alloc(0));
    assert.equal(proveText({ size: 20, read }), undefined);
  });

  it('text of nothing but continuation bytes ends', () =>
    assert.equal(judge(Buffer.alloc(pieceBytes + 10, 0x80)), undefined));
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
      assert.equal(judge(opening), undefined);
      assert.equal(judge(opening, '\nwords'), undefined);
      assert.equal(judge(' \t\r\n\f', opening), undefined);
      assert.equal(judge(mark, '\n', opening), undefined);
    });
  }

  it('a text that begins with an opening behind 60 KB of blanks is refused', () =>
    assert.equal(judge(' '.repeat(60_000), '#!/bin/sh'), undefined));

  const names = ['script', 'html', 'svg', 'iframe', 'frameset', 'embed', 'applet'];
  for (const name of names) {
    it(`a text with the tag <${name}> is refused, in any notation`, () => {
      for (const next of ['>', ' ', '/', '\n', '\t', '\r', '\f'])
        assert.equal(judge('words <', name, next, 'x'), undefined, next);
      assert.equal(judge('words <', name.toUpperCase(), '>'), undefined);
      assert.equal(judge('words <', name), undefined, 'at the end');
      assert.deepEqual(judge('words <', name, 'ish>'), isText);
      assert.deepEqual(judge('words <', name, '-x>'), isText);
      assert.deepEqual(judge('words <', name, 's'), isText);
    });
  }

  it('a text with a document type or PHP is refused', () => {
    for (const markup of ['<!doctype html', '<!DOCTYPE HTML>', '<?php', '<?PHP system("id");'])
      assert.equal(judge('words ', markup), undefined, markup);
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
      assert.equal(around('<ScRipt>'), undefined, `${before}`);
      assert.equal(around('<!doctype HTML'), undefined, `${before}`);
      assert.equal(around('<frameset>'), undefined, `${before}`);
      assert.deepEqual(around('<scripted>'), isText, `${before}`);
    }
  });

  it('markup is found far behind the first piece', () => {
    for (const at of [70_000, 2 * pieceBytes + 100])
      assert.equal(judge(Buffer.alloc(at, 'x'), '<script>', Buffer.alloc(50_000, 'y')), undefined);
  });

  it('a tag that a piece ends with is not a tag if the word goes on', () => {
    assert.deepEqual(judge(Buffer.alloc(pieceBytes - 7, 'x'), '<script', 'ed words'), isText);
    assert.equal(judge(Buffer.alloc(pieceBytes - 7, 'x'), '<script'), undefined);
    assert.equal(judge(Buffer.alloc(pieceBytes - 6, 'x'), '<script'), undefined);
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
