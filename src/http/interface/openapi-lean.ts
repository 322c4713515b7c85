// Says once what the OpenAPI document would say often: the usual credentials, records that extend others, and samples without content.
import { mapValues, type Operation } from './openapi-share.ts';
import type { Schema } from './schema.ts';

type Paths = Readonly<Record<string, Readonly<Record<string, Operation>>>>;

type Requirements = readonly Readonly<Record<string, unknown>>[];

/** The requirements that most operations have stand at the top of the document; an operation without any has these. */
export function liftSecurity(paths: Paths): { readonly security: Requirements; readonly paths: Paths } {
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  const counts = Map.groupBy(operations, ({ security }) => JSON.stringify(security));
  const [usual = '[]'] = [...counts].toSorted(([, one], [, other]) => other.length - one.length)[0] ?? [];
  const lift = (operation: Operation): Operation => {
    const { security, ...rest } = operation;
    return JSON.stringify(security) === usual ? (rest as Operation) : operation;
  };
  return { security: JSON.parse(usual) as Requirements, paths: mapOperations(paths, lift) };
}

type Fields = {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
};

/** A record with all fields of another one refers to it and lists only what it adds. */
export function extendSchemas(components: Readonly<Record<string, Schema>>): Readonly<Record<string, Schema>> {
  const entries = Object.entries(components);
  const extend = ([title, schema]: readonly [string, Schema]): readonly [string, Schema] => {
    const [base] = entries
      .filter(([name, other]) => name !== title && isPartOf(other, schema))
      .toSorted(([, one], [, other]) => sizeOf(other) - sizeOf(one));
    return base === undefined ? [title, schema] : [title, addTo(base, schema)];
  };
  return Object.fromEntries(entries.map(extend));
}

/** Fewer fields are not worth a reference, and may be the same by chance. */
const fewestFields = 5;

function isPartOf(base: Schema, schema: Schema): boolean {
  const { type, properties = {}, required = [], ...others } = base as Fields & { readonly title?: string };
  const own = schema as Fields;
  const fields = Object.entries(properties);
  return (
    type === 'object' &&
    own.type === 'object' &&
    Object.keys(others).every((key) => key === 'title') &&
    fields.length >= fewestFields &&
    fields.length < sizeOf(schema) &&
    fields.every(([name, field]) => JSON.stringify(own.properties?.[name]) === JSON.stringify(field)) &&
    required.every((name) => own.required?.includes(name))
  );
}

function sizeOf(schema: Schema): number {
  return Object.keys((schema as Fields).properties ?? {}).length;
}

function addTo([name, base]: readonly [string, Schema], schema: Schema): Schema {
  const { properties = {}, required = [], type, ...rest } = schema as Fields;
  const known = base as Fields;
  const added = {
    type,
    properties: Object.fromEntries(
      Object.entries(properties).filter(([field]) => !(field in (known.properties ?? {}))),
    ),
    required: required.filter((field) => !known.required?.includes(field)),
  };
  return { ...rest, allOf: [{ $ref: `#/components/schemas/${name}` }, added] } as Schema;
}

/** A sample of placeholders shows no more than its schema. */
export function withoutPlaceholders(paths: Paths): Paths {
  return mapOperations(paths, (operation) => ({
    ...operation,
    responses: mapValues(operation.responses, (response) => {
      const { content } = response as { readonly content?: Readonly<Record<string, { readonly example?: unknown }>> };
      return content === undefined ? response : { ...response, content: mapValues(content, dropPlaceholders) };
    }),
  }));
}

function dropPlaceholders<Content extends { readonly example?: unknown }>(content: Content): object {
  const { example, ...rest } = content;
  return example !== undefined && JSON.stringify(example).includes('"…"') ? rest : content;
}

function mapOperations(paths: Paths, change: (operation: Operation) => Operation): Paths {
  return mapValues(paths, (methods) => mapValues(methods, change));
}
