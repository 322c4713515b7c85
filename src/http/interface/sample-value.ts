// A sample value of a JSON Schema, for examples in the documentation.

/** The keywords that decide about a sample. */
export type Sampled = {
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Sampled[];
  readonly items?: Sampled;
  readonly properties?: Readonly<Record<string, Sampled>>;
  readonly format?: string;
  readonly minimum?: number;
  readonly examples?: readonly unknown[];
};

const samplesByFormat: Readonly<Record<string, string>> = {
  uuid: '0192a6da-ce70-7c1e-9a53-4f0f5c0b2f11',
  'date-time': '2026-11-15T09:30:00.000Z',
};

export function sampleOf(schema: Sampled): unknown {
  const [given] = schema.examples ?? schema.enum ?? [];
  if (given !== undefined) return given;
  if (schema.const !== undefined) return schema.const;
  const [choice] = schema.anyOf ?? [];
  if (choice !== undefined) return sampleOf(choice);
  if (schema.items !== undefined) return [sampleOf(schema.items)];
  return sampleOfType(schema);
}

function sampleOfType({ type, format = '', properties = {}, minimum = 0 }: Sampled): unknown {
  if (type === 'object')
    return Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, sampleOf(field)]));
  if (type === 'string') return samplesByFormat[format] ?? '…';
  if (type === 'integer' || type === 'number') return minimum;
  if (type === 'boolean') return true;
  return type === 'array' ? [] : null;
}
