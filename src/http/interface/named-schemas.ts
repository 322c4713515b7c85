// Schemas with a title: the OpenAPI document lists each once under its title, and refers to it everywhere else.
import type { Route } from './route.ts';
import type { Schema } from './schema.ts';

/** The keywords of a schema that hold other schemas. */
type Nested = {
  readonly title?: string;
  readonly $ref?: string;
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
};

const place = '#/components/schemas/';

export function titleOf(schema: Schema): string | undefined {
  return (schema as Nested).title;
}

/** The schema with a reference in place of each part that has a title. */
export function referTo(schema: Schema): Schema {
  const title = titleOf(schema);
  return title === undefined ? mapParts(schema, referTo) : { $ref: `${place}${title}` };
}

/** Every schema with a title that the routes use, by title, in the order of the titles. Two schemas must not share a title. */
export function namedSchemas(routes: readonly Route[]): Readonly<Record<string, Schema>> {
  const found = new Map<string, Schema>();
  const collect = (schema: Schema): Schema => {
    const title = titleOf(schema);
    const known = title === undefined ? undefined : found.get(title);
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(schema))
      throw new Error(`two schemas have the title ${title}`);
    if (title !== undefined) found.set(title, schema);
    return mapParts(schema, collect);
  };
  for (const { body, data, other } of routes) {
    for (const schema of [body, data, other?.data]) if (schema !== undefined) collect(schema);
  }
  return Object.fromEntries([...found].toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

/** The entries of a document for these schemas: each with its parts as references. */
export function namedComponents(routes: readonly Route[]): Readonly<Record<string, Schema>> {
  const entries = Object.entries(namedSchemas(routes)).map(([title, schema]) => [title, mapParts(schema, referTo)]);
  return Object.fromEntries(entries);
}

/** The schema with the content of each reference in its place. */
export function withoutReferences(schema: Schema, components: Readonly<Record<string, Schema>>): Schema {
  const { $ref } = schema as Nested;
  const target = $ref === undefined ? schema : (components[$ref.slice(place.length)] ?? {});
  return mapParts(target, (part) => withoutReferences(part, components));
}

/** Without the samples of its fields: beside an example of the whole they say nothing new. */
export function withoutSamples(schema: Schema): Schema {
  const { examples: _, ...rest } = schema;
  return mapParts(rest, withoutSamples);
}

function mapParts(schema: Schema, change: (part: Schema) => Schema): Schema {
  const { anyOf, items, properties } = schema as Nested;
  return {
    ...schema,
    ...(anyOf !== undefined && { anyOf: anyOf.map(change) }),
    ...(items !== undefined && { items: change(items) }),
    ...(properties !== undefined && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, part]) => [name, change(part)])),
    }),
  };
}
