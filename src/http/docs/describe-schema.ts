// Describes a JSON Schema for readers: the name of its type, its limits in words, and a sample value.

/** The keywords that the pages can describe. */
export type ShownSchema = {
  readonly title?: string;
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly ShownSchema[];
  readonly items?: ShownSchema;
  readonly properties?: Readonly<Record<string, ShownSchema>>;
  readonly required?: readonly string[];
  readonly format?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly default?: unknown;
  readonly description?: string;
  readonly examples?: readonly unknown[];
};

export function typeName(schema: ShownSchema): string {
  if (schema.title !== undefined) return schema.title;
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  if (schema.anyOf !== undefined) return schema.anyOf.map(typeName).join(' | ');
  if (schema.items !== undefined) return `array of ${typeName(schema.items)}`;
  const name = schema.type ?? 'any';
  return schema.format === undefined ? name : `${name} (${schema.format})`;
}

export function boundsOf(schema: ShownSchema): string[] {
  const { minLength, maxLength, minimum, maximum, minItems, maxItems, pattern } = schema;
  return [
    range(minLength, maxLength, 'characters'),
    range(minimum, maximum),
    range(minItems, maxItems, 'items'),
    pattern === undefined ? '' : `matches ${pattern}`,
    schema.default === undefined ? '' : `default ${JSON.stringify(schema.default)}`,
  ].filter((bound) => bound !== '');
}

function range(least: number | undefined, most: number | undefined, unit = ''): string {
  if (least !== undefined && most !== undefined) return `${least} to ${most} ${unit}`.trim();
  if (least !== undefined) return `at least ${least} ${unit}`.trim();
  return most === undefined ? '' : `at most ${most} ${unit}`.trim();
}

const samplesByFormat: Readonly<Record<string, string>> = {
  uuid: '0192a6da-ce70-7c1e-9a53-4f0f5c0b2f11',
  'date-time': '2026-11-15T09:30:00.000Z',
};

export function sampleOf(schema: ShownSchema): unknown {
  const [given] = schema.examples ?? schema.enum ?? [];
  if (given !== undefined) return given;
  if (schema.const !== undefined) return schema.const;
  const [choice] = schema.anyOf ?? [];
  if (choice !== undefined) return sampleOf(choice);
  if (schema.items !== undefined) return [sampleOf(schema.items)];
  return sampleOfType(schema);
}

function sampleOfType({ type, format = '', properties = {}, minimum = 0 }: ShownSchema): unknown {
  if (type === 'object')
    return Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, sampleOf(field)]));
  if (type === 'string') return samplesByFormat[format] ?? '…';
  if (type === 'integer' || type === 'number') return minimum;
  if (type === 'boolean') return true;
  return type === 'array' ? [] : null;
}
