// Schemas with a title: listed once in the document, referred to everywhere else, and shown in full on the docs page.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  namedComponents,
  namedSchemas,
  referTo,
  withoutReferences,
} from '../../../src/http/interface/named-schemas.ts';
import { createOpenApi } from '../../../src/http/interface/openapi.ts';
import { defineRoute } from '../../../src/http/interface/route.ts';
import type { RouteLine } from '../../../src/http/interface/route-line.ts';
import { list, named, nullable, object, type Schema, text } from '../../../src/http/interface/schema.ts';

const pet = named('Pet', object({ name: text() }));
const owner = named('Owner', object({ pets: list(pet), title: text() }));
const page = object({ owner: nullable(owner), first: pet });
const ref = (title: string) => ({ $ref: `#/components/schemas/${title}` });

function routeOf(data: Schema) {
  return defineRoute({ summary: 's', success: 'ME', failures: [], data, handle: async () => ({ data: null }) });
}

describe('schemas with a title', () => {
  it('a schema with a title is replaced by a reference, wherever it is', () => {
    assert.deepEqual(referTo(pet), ref('Pet'));
    assert.deepEqual(referTo(list(pet)), { type: 'array', items: ref('Pet') });
    assert.deepEqual(referTo(page), {
      type: 'object',
      properties: { owner: { anyOf: [ref('Owner'), { type: 'null' }] }, first: ref('Pet') },
      required: ['owner', 'first'],
    });
  });

  it('a field with the name “title” is no title', () => {
    assert.deepEqual(referTo(object({ title: text() })), object({ title: text() }));
  });

  it('the components hold each schema once, with references to the others', () => {
    const components = namedComponents([routeOf(page), routeOf(pet)]);
    assert.deepEqual(Object.keys(components), ['Owner', 'Pet']);
    assert.deepEqual(components.Pet, pet);
    assert.deepEqual(components.Owner, {
      ...object({ pets: list(ref('Pet')), title: text() }),
      title: 'Owner',
    });
  });

  it('two different schemas with one title are a fault', () => {
    assert.throws(() => namedSchemas([routeOf(pet), routeOf(named('Pet', text()))]), /title Pet/);
  });

  it('a schema is the same again when its references are resolved', () => {
    assert.deepEqual(withoutReferences(referTo(page), namedComponents([routeOf(page)])), page);
  });

  it('the OpenAPI document refers to the components that it lists', () => {
    const line: RouteLine = { method: 'GET', path: '/a', guards: [], route: routeOf(page), name: 'a', tag: 'auth' };
    const document = createOpenApi([line], 'https://example.com') as {
      components: { schemas: Record<string, unknown> };
    };
    assert.deepEqual(Object.keys(document.components.schemas), [
      'Success',
      'Done',
      'FailureCode',
      'Failure',
      'Owner',
      'Pet',
    ]);
    const used = [...JSON.stringify(document).matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name);
    assert.deepEqual(
      used.filter((name) => document.components.schemas[name ?? ''] === undefined),
      [],
    );
    assert.ok(used.includes('Owner') && used.includes('Pet'));
  });
});
