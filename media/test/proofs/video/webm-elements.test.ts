// EBML elements: identifiers of one to four bytes, lengths of one to eight bytes or unknown, and small values.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { elementBytes, parseElement, textOf, unsignedOf } from '../../../src/proofs/video/webm-elements.ts';
import { hex, joined } from '../../helpers/media-files.ts';

function parse(text: string, position = 100) {
  return parseElement(hex(text), position);
}

describe('an EBML element', () => {
  for (const [what, bytes, expected] of [
    ['one byte of identifier', 'ec 80', { id: 0xec, start: 102, length: 0, head: '' }],
    ['two bytes of identifier', '4282 84 7765626d', { id: 0x4282, start: 103, length: 4, head: '7765626d' }],
    ['three bytes of identifier', '2ad7b1 81 05', { id: 0x2ad7b1, start: 104, length: 1, head: '05' }],
    ['four bytes of identifier', '1a45dfa3 80', { id: 0x1a45dfa3, start: 105, length: 0, head: '' }],
    ['two bytes of length', 'ec 4001 aa', { id: 0xec, start: 103, length: 1, head: 'aa' }],
    ['three bytes of length', 'ec 200001 aa', { id: 0xec, start: 104, length: 1, head: 'aa' }],
    ['eight bytes of length', 'ec 0100000000000001 aa', { id: 0xec, start: 109, length: 1, head: 'aa' }],
    ['the largest length of one byte', 'ec fe', { id: 0xec, start: 102, length: 126, head: '' }],
    ['the largest length of two bytes', 'ec 7ffe', { id: 0xec, start: 103, length: 16_382, head: '' }],
    ['a length of 127 in two bytes', 'ec 407f', { id: 0xec, start: 103, length: 127, head: '' }],
    ['a length that only ends with ones', 'ec 40ff', { id: 0xec, start: 103, length: 255, head: '' }],
    ['the largest safe length', 'ec 011fffffffffffff', { id: 0xec, start: 109, length: 2 ** 53 - 1, head: '' }],
    ['content that is not all there', 'ec 84 aabb', { id: 0xec, start: 102, length: 4, head: 'aabb' }],
    ['an unknown length of one byte', 'ec ff aabb', { id: 0xec, start: 102, length: undefined, head: '' }],
    ['an unknown length of two bytes', 'ec 7fff aabb', { id: 0xec, start: 103, length: undefined, head: '' }],
    ['an unknown length of eight bytes', 'ec 01ffffffffffffff', { id: 0xec, start: 109, length: undefined, head: '' }],
  ] as const) {
    it(`an element is read with ${what}`, () => {
      const { head, ...rest } = parse(bytes) ?? assert.fail('no element');
      assert.deepEqual({ ...rest, head: head.toString('hex') }, expected);
    });
  }

  for (const [what, bytes] of [
    ['nothing', ''],
    ['a zero', '00 80'],
    ['five bytes of identifier', '0811111111 80'],
    ['an identifier without a length', 'ec'],
    ['half an identifier', '1a45df'],
    ['a length that begins with a zero byte', 'ec 00 0000000000000001'],
    ['half a length', 'ec 40'],
    ['half a long length', 'ec 01000000000000'],
    ['a length beyond all numbers', 'ec 0120000000000000'],
  ] as const) {
    it(`there is no element: ${what}`, () => assert.equal(parse(bytes), undefined));
  }

  it('the head of an element has at most 64 bytes, and is never read past what is needed', () => {
    const element = parseElement(joined(hex('1a45dfa3 0100000000000100'), Buffer.alloc(200, 'a')), 0);
    assert.equal(element?.head.toString('latin1'), 'a'.repeat(64));
    assert.equal(elementBytes, 4 + 8 + 64);
  });
});

describe('a value of an element', () => {
  const withHead = (head: Buffer) => ({ id: 0, start: 0, length: head.length, head });
  for (const [bytes, text] of [
    ['', ''],
    ['webm', 'webm'],
    ['webm\0', 'webm'],
    ['webm\0\0\0', 'webm'],
    ['\0\0', ''],
    ['we\0bm\0', 'we\0bm'],
    ['\xe9', '\xe9'],
  ] as const) {
    it(`the text of ${JSON.stringify(bytes)} is ${JSON.stringify(text)}: zeros at the end are padding`, () =>
      assert.equal(textOf(withHead(joined(bytes))), text));
  }

  for (const [bytes, value] of [
    ['', 0],
    ['07', 7],
    ['0102', 258],
    ['ffffffff', 0xffffffff],
    ['0000000000000009', 9],
    ['000000000000000009', Number.NaN],
  ] as const) {
    it(`the number in the bytes “${bytes}” is ${value}`, () => assert.equal(unsignedOf(withHead(hex(bytes))), value));
  }
});
