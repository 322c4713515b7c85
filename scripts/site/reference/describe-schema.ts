// Describes a JSON Schema for readers: the name of its type, and its limits in words.

/** The keywords that the pages can describe. */
export type ShownSchema = {
  readonly title?: string;
  /** A schema with a name, on the page of schemas. */
  readonly $ref?: string;
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

/** The name of a schema that is only referred to. */
export function referredName({ $ref }: ShownSchema): string | undefined {
  return $ref?.slice($ref.lastIndexOf('/') + 1);
}

export function typeName(schema: ShownSchema): string {
  const referred = referredName(schema);
  if (referred !== undefined) return referred;
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
