// A statement is built once per database, keeps a constant text, and takes its values as named arguments.
import { arrayTypeOf, type ColumnOf, columnsOf, keyOf, type TableName } from './schema.ts';
import { type Args, compile, type Dialect, type Sql, sql } from './sql.ts';

export type Bound = { readonly text: string; readonly name: string; bind(args: Args): unknown[] };

/** Typed by the row it gives; compiled at first use for each database. */
export type Statement<Result> = { readonly on: (dialect: Dialect) => Bound; readonly row?: Result };

export type Tools = {
  readonly dialect: Dialect;
  /** Every column of the table by its name: one that a later version has added must not change what a prepared text answers. */
  all(table: TableName): Sql;
  /** A single value, named. */
  value(name: string): Sql;
  /** Many input rows, named, to be joined or selected from; all values travel as one constant set of parameters. */
  rows<T extends TableName>(name: string, table: T, columns: readonly ColumnOf<T>[]): Sql;
  /** True where the column has a value of the named input rows. */
  isAmong<T extends TableName>(table: T, column: ColumnOf<T>, name: string): Sql;
  /** Locks the chosen rows until the end of the transaction; `skip` passes over rows that another node holds. */
  lock(skip?: 'skip'): Sql;
  /** The key of the table as an expression, to sort by: over the plain key PostgreSQL could read the whole table in its order. */
  keyOrder(table: TableName): Sql;
  /**
   * True for the rows that meet the condition, for an update or a delete: these lock in no order of their own, so the rows are
   * locked in the order of their key first.
   */
  lockedWhere(table: TableName, condition: Sql): Sql;
};

export function statement<Result>(build: (tools: Tools) => Sql): Statement<Result> {
  const compiled = new Map<Dialect, Bound>();
  const on = (dialect: Dialect): Bound => {
    const known = compiled.get(dialect);
    if (known !== undefined) return known;
    const { text, slots } = compile(build(toolsOf(dialect)), dialect);
    const bound = { text, name: `g${++count}`, bind: (args: Args) => slots.map((fetch) => fetch(args)) };
    compiled.set(dialect, bound);
    return bound;
  };
  return { on };
}

let count = 0;

function toolsOf(dialect: Dialect): Tools {
  return {
    dialect,
    all: (table) => sql.join(columnsOf(table).map((column) => sql.ref(column))),
    value: (name) => sql.slot((args) => args[name]),
    rows: (name, table, columns) => (dialect === 'postgres' ? arrays(name, table, columns) : json(name, columns)),
    isAmong: (table, column, name) =>
      dialect === 'postgres'
        ? sql`${sql.ref(`${table}.${column}`)} = any(${array(name, table, column)})`
        : sql`${sql.ref(`${table}.${column}`)} in ${json(name, [column])}`,
    lock: (skip) =>
      dialect === 'postgres' ? (skip === 'skip' ? sql`for update skip locked` : sql`for update`) : sql``,
    keyOrder,
    lockedWhere: (table, condition) => {
      if (dialect === 'sqlite') return sql`${condition}`;
      const key = sql.ref(`${table}.${keyOf(table)[0] ?? ''}`);
      // As an array, PostgreSQL finds the keys once and then by index; as a subquery it may read the whole table.
      return sql`${key} = any(array(select ${key} from ${sql.table(table)} where ${condition}
        order by ${keyOrder(table)} for update))`;
    },
  };
}

function keyOrder(table: TableName): Sql {
  const [column = ''] = keyOf(table);
  const key = sql.ref(`${table}.${column}`);
  return arrayTypeOf(table, column) === 'int8[]' ? sql`${key} + 0` : sql`${key} || ''`;
}

/** PostgreSQL: one array a column. */
function arrays(name: string, table: TableName, columns: readonly string[]): Sql {
  const parts = columns.map((column) => array(name, table, column));
  return sql`(select * from unnest(${sql.join(parts)}) as t(${sql.join(columns.map((column) => sql.ref(column)))}))`;
}

function array(name: string, table: TableName, column: string): Sql {
  const fetch = (args: Args) => inputRows(args, name).map((row) => row[column] ?? null);
  const type = arrayTypeOf(table, column) === 'int8[]' ? sql`int8[]` : sql`text[]`;
  return sql`${sql.slot(fetch)}::${type}`;
}

/** SQLite: one JSON text of all rows. */
function json(name: string, columns: readonly string[]): Sql {
  const fetch = (args: Args) =>
    JSON.stringify(inputRows(args, name).map((row) => columns.map((column) => row[column] ?? null)));
  const parts = columns.map((column, index) => sql`value ->> ${sql.lit(index)} as ${sql.ref(column)}`);
  return sql`(select ${sql.join(parts)} from json_each(${sql.slot(fetch)}))`;
}

function inputRows(args: Args, name: string): Record<string, unknown>[] {
  return args[name] as Record<string, unknown>[];
}
