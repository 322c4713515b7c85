// JSON Schemas with their TypeScript types: one declaration serves validation, OpenAPI and client types.

/** `T` is the type of a value that the schema accepts. */
export type Schema<T = unknown> = { readonly [keyword: string]: unknown } & { readonly accepts?: T };

export type TypeOf<S> = S extends Schema<infer T> ? T : undefined;

type Notes = { readonly description?: string; readonly examples?: readonly unknown[] };

export function text(
  rules: Notes & { minLength?: number; maxLength?: number; format?: string; pattern?: string } = {},
): Schema<string> {
  return { type: 'string', ...rules };
}

export function integer(rules: Notes & { minimum?: number; maximum?: number } = {}): Schema<number> {
  return { type: 'integer', ...rules };
}

export function flag(rules: Notes = {}): Schema<boolean> {
  return { type: 'boolean', ...rules };
}

/** True only, or false only: tells the shapes of an answer apart. */
export function only<const T extends boolean>(value: T): Schema<T> {
  return { const: value };
}

export function either<A, B>(one: Schema<A>, other: Schema<B>): Schema<A | B> {
  return { anyOf: [one, other] };
}

export function oneOf<const T extends string>(values: readonly T[], rules: Notes = {}): Schema<T> {
  return { type: 'string', enum: values, ...rules };
}

export function nullable<T>(schema: Schema<T>): Schema<T | null> {
  return { anyOf: [schema, { type: 'null' }] };
}

export function list<T>(items: Schema<T>, rules: Notes & { maxItems?: number } = {}): Schema<T[]> {
  return { type: 'array', items, ...rules };
}

type Fields = Readonly<Record<string, Schema>>;
type Values<F extends Fields> = { [K in keyof F]: NonNullable<F[K]['accepts']> | Extract<F[K]['accepts'], null> };

/** Unknown fields are ignored. */
export function object<F extends Fields, O extends Fields = Record<never, never>>(
  required: F,
  optional?: O,
): Schema<Values<F> & Partial<Values<O>>> {
  const names = Object.keys(required);
  return { type: 'object', properties: { ...required, ...optional }, ...(names.length > 0 && { required: names }) };
}

export function anyObject(rules: Notes = {}): Schema<Record<string, unknown>> {
  // Generators of types take an object without this for an empty one.
  return { type: 'object', additionalProperties: true, ...rules };
}

/** A schema that the OpenAPI document and the types of the clients list once, under this title. */
export function named<T>(title: string, schema: Schema<T>): Schema<T> {
  return { ...schema, title };
}
