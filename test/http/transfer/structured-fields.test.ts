// Structured fields (RFC 9651): items and dictionaries are read as the RFC says, parameters are ignored, and the rest is refused.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { readDictionary, readItem } from '../../../src/http/transfer/structured-fields.ts';

const integer = (value: number, isNegative = false) => ({ kind: 'integer', value, isNegative });
const flag = (value: boolean) => ({ kind: 'boolean', value });
const bytes = (value: string) => ({ kind: 'bytes', value: Buffer.from(value) });
const other = { kind: 'other' };

describe('an item', () => {
  for (const [text, expected] of [
    ['?1', flag(true)],
    ['  ?0  ', flag(false)],
    ['?0;a=b', flag(false)],
    ['?1; a; b=?0;*c=1.5;d="x;y";e=:aGk=:;f=@12;g=%"f%c3%bc"', flag(true)],
    ['0', integer(0)],
    ['-0', integer(0, true)],
    ['007;q', integer(7)],
    ['-999999999999999', integer(999_999_999_999_999, true)],
    [':aGk=:', bytes('hi')],
    ['::', bytes('')],
    ['1.5', other],
    ['"a\\"b"', other],
    ['*tok/en:1', other],
    ['@-1', other],
    ['%"%f0%9f%98%80"', other],
  ] as const)
    it(`${text} is read`, () => assert.deepEqual(readItem(text), expected));

  for (const text of [
    '',
    ' ',
    '?',
    '?2',
    '?01',
    '?1;',
    '?1 ;a',
    '?1;A',
    '?1;a=',
    '?1;a=(1)',
    '?1, ?1',
    '\t?1',
    '1000000000000000',
    '1.',
    '1.2345',
    '--1',
    '+1',
    '1e3',
    '"a',
    '"ü"',
    ':a_-:',
    '%"%C3"',
    '@1.5',
    '(1)',
    '1 2',
  ])
    it(`${JSON.stringify(text)} is none`, () => assert.equal(readItem(text), undefined));
});

describe('a dictionary', () => {
  const read = (text: string) => {
    const members = readDictionary(text);
    return members && Object.fromEntries(members);
  };
  for (const [text, expected] of [
    ['', {}],
    ['a=1', { a: integer(1) }],
    ['a=1;x=2 , b=:aGk=:\t,\tc', { a: integer(1), b: bytes('hi'), c: flag(true) }],
    ['a;x, a=?0', { a: flag(false) }],
    ['a=(1 "b"  c;x);y=1, b=()', { a: other, b: other }],
  ] as const)
    it(`${JSON.stringify(text)} is read`, () => assert.deepEqual(read(text), expected));

  for (const text of [
    'a=',
    'a=1,',
    ',a=1',
    'a=1 b=2',
    'A=1',
    '=1',
    'a=1;',
    'a=(1',
    'a=(1"b")',
    'a=1,,b=2',
    'sha-256=:x',
  ])
    it(`${JSON.stringify(text)} is none`, () => assert.equal(read(text), undefined));

  it('any text is read or refused in a time that grows with its length', () => {
    const text = fc.string({ unit: fc.constantFrom(...'a=1;:",?()%\\ @.-*', '\t') });
    fc.assert(
      fc.property(text, (each) => {
        readDictionary(each);
        readItem(each);
      }),
    );
    for (const each of ['a=(', ' ', ';a', 'a=1,', '"\\', ':A', '%"%'])
      assert.equal(readDictionary(`${each.repeat(20_000)}!`), undefined);
  });
});
