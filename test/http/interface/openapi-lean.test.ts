// What the OpenAPI document says once: the usual credentials, the fields of a record that others extend, and no samples without content.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { extendSchemas, liftSecurity, withoutPlaceholders } from '../../../src/http/interface/openapi-lean.ts';
import { flag, named, object, type Schema, text } from '../../../src/http/interface/schema.ts';

const bearer = [{ bearerAuth: [] }];
const operation = (operationId: string, security: object[], example?: unknown) => ({
  operationId,
  security,
  responses: { 200: { description: 'Done', content: { 'application/json': { schema: {}, example } } } },
});

const five = { a: text(), b: text(), c: text(), d: text(), e: text({ description: 'The fifth' }) };

describe('a lean OpenAPI document', () => {
  it('the credentials of most operations stand at the top, and every other operation says its own', () => {
    const { security, paths } = liftSecurity({
      '/a': { get: operation('getA', bearer), post: operation('postA', []) },
      '/b': { get: operation('getB', bearer) },
    });
    assert.deepEqual(security, bearer);
    assert.equal('security' in (paths['/a']?.get ?? assert.fail()), false);
    assert.equal('security' in (paths['/b']?.get ?? assert.fail()), false);
    assert.deepEqual(paths['/a']?.post?.security, []);
  });

  it('a record with all fields of another lists only what it adds', () => {
    const base = named('Base', object(five));
    const more = named('More', object({ ...five, f: flag() }, { g: text() }));
    assert.deepEqual(extendSchemas({ Base: base, More: more }), {
      Base: base,
      More: {
        title: 'More',
        allOf: [
          { $ref: '#/components/schemas/Base' },
          { type: 'object', properties: { f: flag(), g: text() }, required: ['f'] },
        ],
      },
    });
  });

  for (const [what, other] of [
    ['a field with another meaning', object({ ...five, e: text({ description: 'Another' }), f: flag() })],
    [
      'a required field that is optional here',
      object({ a: five.a, b: five.b, c: five.c, d: five.d, f: flag() }, { e: five.e }),
    ],
    ['the same fields and no more', object(five)],
    ['a list of values in place of an object', text()],
  ] as readonly (readonly [string, Schema])[])
    it(`a record stays as it is beside a record with ${what}`, () => {
      const both = { Base: named('Base', object(five)), Other: named('Other', other) };
      assert.deepEqual(extendSchemas(both), both);
    });

  it('few fields in common are no reason to refer to another record', () => {
    const both = { Few: object({ a: text() }), Many: object({ a: text(), b: text() }) };
    assert.deepEqual(extendSchemas(both), both);
  });

  it('a sample of placeholders is left out, and an example with values stays', () => {
    const tokens = { data: { JWT: 'eyJ…' } };
    const paths = withoutPlaceholders({
      '/a': { get: operation('getA', [], { data: { phone: '…' } }), put: operation('putA', [], tokens) },
    });
    const contentOf = (method: string) => {
      const { content } = paths['/a']?.[method]?.responses[200] ?? assert.fail();
      return (content as Record<string, object>)['application/json'];
    };
    assert.deepEqual(contentOf('get'), { schema: {} });
    assert.deepEqual(contentOf('put'), { schema: {}, example: tokens });
  });
});
