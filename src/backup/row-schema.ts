// Parses the tables and rows of a backup by their schema, before any of them may become a row.
import { quote } from './finding.ts';
import type { BackupSchema, Cell, ColumnKind, Form, Rows, TableSchema, TableShape } from './snapshot.ts';

/** A shape whose names and kinds come from the schema, not from the backup. */
export type KnownShape = TableShape & { readonly schema: TableSchema };

type Parsed<T> = { readonly value: T } | { readonly finding: string };

/** Longer than any text that the service stores. */
const longestText = 1024 * 1024;

export function parseShape(schema: BackupSchema, given: unknown): Parsed<KnownShape> {
  const { table, columns } = asObject(given);
  if (typeof table !== 'string' || asObject(columns) !== columns)
    return { finding: 'a line is neither a table nor a row' };
  const known = schema.find((one) => one.table === table);
  if (known === undefined) return { finding: `the table ${quote(table)} does not belong in a backup` };
  const names = Object.keys(columns as object);
  const unknown = names.find((name) => !Object.hasOwn(known.columns, name));
  if (unknown !== undefined) return { finding: `${table} has the column ${quote(unknown)}, which it cannot have` };
  const missing = known.key.find((name) => !names.includes(name));
  if (missing !== undefined) return { finding: `${table} lacks the column ${missing}` };
  return {
    value: {
      table,
      columns: Object.fromEntries(names.map((name) => [name, known.columns[name] ?? 'text'])),
      schema: known,
    },
  };
}

/** `number` is that of the row in its table, for the finding. */
export function parseRow({ table, columns, schema }: KnownShape, given: unknown, number: number): Parsed<Rows[number]> {
  const names = Object.keys(columns);
  if (!Array.isArray(given) || given.length !== names.length)
    return { finding: `row ${number} of ${table} does not have ${names.length} values` };
  const values: readonly unknown[] = given;
  for (const [at, name] of names.entries()) {
    const missed = missedBy(schema.columns[name] ?? 'text', schema.forms[name], values[at]);
    if (missed !== undefined)
      return { finding: `row ${number} of ${table} has the ${name} ${show(values[at])}, which is not ${missed}` };
  }
  return { value: values as Rows[number] };
}

/** What the value should be and is not. */
function missedBy(kind: ColumnKind, form: Form | undefined, value: unknown): string | undefined {
  if (!isCell(kind, value)) return kindNames[kind];
  return value === null || form === undefined || form.fits(`${value}`) ? undefined : form.name;
}

const kindNames: Readonly<Record<ColumnKind, string>> = {
  text: 'a text',
  int: 'a whole number',
  'text?': 'a text or null',
  'int?': 'a whole number or null',
};

function isCell(kind: ColumnKind, value: unknown): value is Cell {
  if (value === null) return kind.endsWith('?');
  if (kind.startsWith('int')) return isWhole(value);
  // PostgreSQL stores neither a NUL nor half a character.
  return typeof value === 'string' && value.length <= longestText && !value.includes('\0') && value.isWellFormed();
}

function isWhole(value: unknown): value is number {
  return Number.isSafeInteger(value);
}

/** An object is not written out: it may be deep enough to end the program. */
function show(value: unknown): string {
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? '[…]' : '{…}';
  return quote(String(value));
}

function asObject(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : {};
}

/**
 * The rows of a table are in the order of the first column of its key. So a key that comes twice is found with memory only for the
 * rows that are alike in that column.
 */
export function createKeyCheck(): (shape: KnownShape, row: Rows[number]) => string | undefined {
  let [table, last] = ['', ''];
  const alike = new Set<string>();
  return ({ table: current, columns, schema: { key } }, row) => {
    const names = Object.keys(columns);
    const values = key.map((name) => String(row[names.indexOf(name)]));
    const [first = '', ...others] = values;
    const order = table === current ? Buffer.compare(Buffer.from(first), Buffer.from(last)) : 1;
    if (order !== 0) alike.clear();
    [table, last] = [current, first];
    const isNew = !alike.has(others.join());
    alike.add(others.join());
    if (order >= 0 && isNew) return undefined;
    return `${current} has the ${key.join(', ')} ${quote(values.join(', '))} twice, or not in its order`;
  };
}
