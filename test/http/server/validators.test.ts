// The field that a refusal names, and schemas that can all be compiled.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Ajv } from 'ajv';
import { allLines } from '../../../scripts/site/all-lines.ts';
import { object, text } from '../../../src/http/interface/schema.ts';
import { createValidators, fieldOf } from '../../../src/http/server/validators.ts';

describe('a request that breaks its schema', () => {
  for (const [what, errors, field] of [
    ['a missing field', [{ params: { missingProperty: 'phone' }, instancePath: '' }], 'phone'],
    ['a wrong field', [{ params: {}, instancePath: '/phone' }], 'phone'],
    ['a wrong field further down', [{ params: {}, instancePath: '/a/0/b' }], 'a.0.b'],
    ['a wrong body', [{ params: { missingProperty: 5 }, instancePath: '' }], 'body'],
    ['no reason', [], 'body'],
  ] as const) {
    it(`${what} is named ${field}`, () => assert.equal(fieldOf(errors), field));
  }

  it('a validator neither converts nor removes nor adds anything', () => {
    const check = createValidators().add(
      object({ name: text({ maxLength: 3 }) }, { age: { type: 'integer', default: 5 } }),
    );
    const data = { name: 'abc', more: 1 };
    assert.equal(check(data), undefined);
    assert.deepEqual(data, { name: 'abc', more: 1 });
    assert.deepEqual(
      [check({ name: 5 }), check({}), check({ name: 'abcd' }), check({ name: 'a', age: '1' })],
      ['name', 'name', 'name', 'age'],
    );
  });

  const schemas = allLines()
    .flatMap(({ route }) => [route.body, route.query, route.params])
    .filter((schema) => schema !== undefined);

  it('every schema of the route table compiles', () => {
    const { add } = createValidators();
    for (const schema of schemas) add(schema)({});
  });

  it('every schema of the route table is a schema, which the service does not check again', () => {
    const ajv = new Ajv();
    const broken = (schema: object) => ajv.validateSchema(schema) !== true;
    assert.ok(broken({ type: 'object', required: 'name' }));
    assert.ok(schemas.length > 40);
    assert.deepEqual(schemas.filter(broken), []);
  });
});
