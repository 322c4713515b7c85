// The helpers that declare schemas: each gives the JSON Schema that validation and documentation use.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  anyObject,
  either,
  flag,
  integer,
  list,
  named,
  nullable,
  object,
  oneOf,
  only,
  text,
} from '../../../src/http/interface/schema.ts';

describe('the schema helpers', () => {
  for (const [what, schema, expected] of [
    ['a text', text(), { type: 'string' }],
    ['a text with rules', text({ minLength: 1, pattern: '^a' }), { type: 'string', minLength: 1, pattern: '^a' }],
    ['an integer', integer({ minimum: 1, maximum: 9 }), { type: 'integer', minimum: 1, maximum: 9 }],
    ['an integer without rules', integer(), { type: 'integer' }],
    ['a flag', flag({ description: 'd' }), { type: 'boolean', description: 'd' }],
    ['a flag without notes', flag(), { type: 'boolean' }],
    [
      'one of some texts',
      oneOf(['a', 'b'], { description: 'd' }),
      { type: 'string', enum: ['a', 'b'], description: 'd' },
    ],
    ['true only', only(true), { const: true }],
    ['either of two', either(text(), flag()), { anyOf: [{ type: 'string' }, { type: 'boolean' }] }],
    ['a text with a title', named('Name', text()), { type: 'string', title: 'Name' }],
    ['a value or null', nullable(text()), { anyOf: [{ type: 'string' }, { type: 'null' }] }],
    ['a list', list(flag(), { description: 'd' }), { type: 'array', items: { type: 'boolean' }, description: 'd' }],
    ['any object', anyObject({ description: 'd' }), { type: 'object', additionalProperties: true, description: 'd' }],
    ['any object without notes', anyObject(), { type: 'object', additionalProperties: true }],
    [
      'an object whose optional fields are not required',
      object({ a: text() }, { b: flag() }),
      { type: 'object', properties: { a: { type: 'string' }, b: { type: 'boolean' } }, required: ['a'] },
    ],
    [
      'an object of required fields',
      object({ a: text() }),
      { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
    ],
  ] as const) {
    it(`the schema of ${what} is as JSON Schema writes it`, () => assert.deepEqual(schema, expected));
  }
});
