// Values of unknown shape, read by field name.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { asRecord } from '../../../src/kernel/text/as-record.ts';

describe('a value of unknown shape', () => {
  for (const [what, value, expected] of [
    ['an object', { a: 1 }, { a: 1 }],
    ['a list', ['x'], { 0: 'x' }],
    ['null', null, {}],
    ['undefined', undefined, {}],
    ['a text', 'abc', {}],
    ['a number', 5, {}],
    ['a function', () => 1, {}],
  ] as [string, unknown, Record<string, unknown>][]) {
    it(`${what} has the fields ${JSON.stringify(Object.keys(expected))}`, () =>
      assert.deepEqual(asRecord(value), expected));
  }

  it('inherited fields are not fields', () => assert.equal(asRecord(Object.create({ admin: true })).admin, undefined));
});
