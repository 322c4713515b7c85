// A template tag for SQL: constant text, names of the schema, and places for parameters. A value can never become SQL text.
import { columnsOf, type TableName } from './schema.ts';
import { tables } from './tables.ts';

export type Dialect = 'sqlite' | 'postgres';

export type Args = Readonly<Record<string, unknown>>;

/** Takes the value of one parameter from the arguments. `at`: which of the input rows, in a text for one row. */
type Parameter = (args: Args, at: number) => unknown;

export type Sql = { readonly pieces: readonly (string | Parameter)[] };

/** Accepts only other pieces of SQL: a plain string or number does not compile. */
function tag(texts: TemplateStringsArray, ...parts: readonly Sql[]): Sql {
  return { pieces: texts.flatMap((text, index) => [text, ...(parts[index]?.pieces ?? [])]) };
}

export const sql = Object.assign(tag, {
  /** A parameter. */
  parameter: (fetch: Parameter): Sql => ({ pieces: [fetch] }),
  table: (table: TableName): Sql => ({ pieces: [quoted(table)] }),
  /** A column, alone or qualified by its table or `input`. */
  ref: (name: string): Sql => ({ pieces: [name.split('.').map(quoted).join('.')] }),
  lit: (value: string | number): Sql => ({
    pieces: [typeof value === 'number' ? String(value) : `'${value.replaceAll("'", "''")}'`],
  }),
  join: (parts: readonly Sql[], separator: Sql = tag`, `): Sql => ({
    pieces: parts.flatMap(({ pieces }, index) => (index === 0 ? pieces : [...separator.pieces, ...pieces])),
  }),
});

export function compile(
  { pieces }: Sql,
  dialect: Dialect,
): { readonly text: string; readonly parameters: readonly Parameter[] } {
  const parameters: Parameter[] = [];
  const texts = pieces.map((piece) => {
    if (typeof piece === 'string') return piece;
    const count = parameters.push(piece);
    return dialect === 'postgres' ? `$${count}` : '?';
  });
  return { text: texts.join(''), parameters };
}

const tableNames = Object.keys(tables) as TableName[];
const known = new Set(['input', ...tableNames, ...tableNames.flatMap(columnsOf)]);

/** Accepts only names of the schema: a misspelt name fails in the first test that builds its statement. */
function quoted(name: string): string {
  if (!known.has(name)) throw new Error(`the schema has no ${name}`);
  return `"${name}"`;
}
