// Statements: built once per database, with constant text and named arguments.
import { arrayTypeOf, type ColumnOf, columnsOf, keyOf, type TableName } from './schema.ts';
import { type Args, compile, type Dialect, type Sql, sql } from './sql.ts';

export type Bound = {
  readonly text: string;
  readonly name: string;
  /** `at`: which of the input rows, in a text for one row. */
  bind(args: Args, at?: number): unknown[];
};

/** Typed by the row that it returns. Compiled for each database at first use. */
export type Statement<Result> = {
  readonly on: (dialect: Dialect) => Bound;
  /** SQLite: the same for one input row, whose columns are parameters. It takes half the time of one row in JSON. */
  readonly onOne: () => Bound;
  /** The names of its input rows. */
  readonly inputs: () => readonly string[];
  /** True if it may run once for each input row, with the same effect. */
  readonly isPerRow: boolean;
  readonly row?: Result;
};

export type Tools = {
  readonly dialect: Dialect;
  /** True in a text for one input row. */
  readonly isOne: boolean;
  /** All columns of the table by name, so that a column of a later version does not change the result of a prepared statement. */
  all(table: TableName): Sql;
  /** A single named value. */
  value(name: string): Sql;
  /** Named input rows to join or select from. The number of parameters does not depend on the number of rows. */
  rows<T extends TableName>(name: string, table: T, columns: readonly ColumnOf<T>[]): Sql;
  /** The only input row: the value of a column. In a text for one row. */
  only(name: string, column: string): Sql;
  /** True if the column has a value of the named input rows. */
  isAmong<T extends TableName>(table: T, column: ColumnOf<T>, name: string): Sql;
  /**
   * The end of a condition that joins a table with input rows. PostgreSQL, with statistics from when the table was small,
   * may read the whole table to join it. With an array of the keys it looks them up in the index.
   */
  lookUp<T extends TableName>(table: T, column: ColumnOf<T>, name: string): Sql;
  /** Locks the selected rows until the transaction ends. `skip` skips rows that another transaction has locked. */
  lock(skip?: 'skip'): Sql;
  /** The key as an expression to sort by. With the plain key, PostgreSQL might scan the whole table in key order. */
  keyOrder(table: TableName): Sql;
  /**
   * The rows that meet the condition, for an update or a delete. These lock rows in no defined order, so this locks the rows
   * in key order first.
   */
  lockedWhere(table: TableName, condition: Sql): Sql;
};

export function statement<Result>(build: (tools: Tools) => Sql, { isPerRow = false } = {}): Statement<Result> {
  const compiled = new Map<Form, Bound>();
  const inputs = new Set<string>();
  const on = (form: Form): Bound => {
    const known = compiled.get(form);
    if (known !== undefined) return known;
    const dialect = form === 'one' ? 'sqlite' : form;
    const { text, parameters } = compile(build(toolsOf(dialect, form === 'one', inputs)), dialect);
    const bind = (args: Args, at = 0) => parameters.map((fetch) => fetch(args, at));
    const bound = { text, name: `g${++count}`, bind };
    compiled.set(form, bound);
    return bound;
  };
  const listed = () => {
    on('sqlite');
    return [...inputs];
  };
  let names: readonly string[] | undefined;
  return { on, onOne: () => on('one'), inputs: () => (names ??= listed()), isPerRow };
}

/** `one` is SQLite with one input row. */
type Form = Dialect | 'one';

let count = 0;

function toolsOf(dialect: Dialect, isOne: boolean, inputs: Set<string>): Tools {
  const isPostgres = dialect === 'postgres';
  const only: Tools['only'] = (name, column) =>
    sql.parameter((args, at) => inputRows(args, name)[at]?.[column] ?? null);
  const isAmong: Tools['isAmong'] = (table, column, name) => {
    inputs.add(name);
    const ref = sql.ref(`${table}.${column}`);
    if (isPostgres) return sql`${ref} = any(${array(name, table, column)})`;
    return isOne ? sql`${ref} = ${only(name, column)}` : sql`${ref} in ${jsonValues(name, column)}`;
  };
  const rows: Tools['rows'] = (name, table, columns) => {
    inputs.add(name);
    if (isPostgres) return arrays(name, table, columns);
    if (!isOne) return json(name, columns);
    return sql`(select ${sql.join(columns.map((column) => sql`${only(name, column)} as ${sql.ref(column)}`))})`;
  };
  return {
    dialect,
    isOne,
    all: (table) => sql.join(columnsOf(table).map((column) => sql.ref(column))),
    value: (name) => sql.parameter((args) => args[name]),
    rows,
    only,
    isAmong,
    lookUp: (table, column, name) => (isPostgres ? sql`and ${isAmong(table, column, name)}` : sql``),
    lock: (skip) => (isPostgres ? (skip === 'skip' ? sql`for update skip locked` : sql`for update`) : sql``),
    keyOrder,
    lockedWhere: (table, condition) => {
      if (!isPostgres) return sql`${condition}`;
      const key = sql.ref(`${table}.${keyOf(table)[0] ?? ''}`);
      // With an array PostgreSQL evaluates the keys once and then uses the index. With a subquery it may scan the whole table.
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

/** PostgreSQL: one array per column. */
function arrays(name: string, table: TableName, columns: readonly string[]): Sql {
  const parts = columns.map((column) => array(name, table, column));
  return sql`(select * from unnest(${sql.join(parts)}) as t(${sql.join(columns.map((column) => sql.ref(column)))}))`;
}

function array(name: string, table: TableName, column: string): Sql {
  const fetch = (args: Args) => inputRows(args, name).map((row) => row[column] ?? null);
  const type = arrayTypeOf(table, column) === 'int8[]' ? sql`int8[]` : sql`text[]`;
  return sql`${sql.parameter(fetch)}::${type}`;
}

/** SQLite: all rows as one JSON text. */
function json(name: string, columns: readonly string[]): Sql {
  const fetch = (args: Args) =>
    JSON.stringify(inputRows(args, name).map((row) => columns.map((column) => row[column] ?? null)));
  const parts = columns.map((column, index) => sql`value ->> ${sql.lit(index)} as ${sql.ref(column)}`);
  return sql`(select ${sql.join(parts)} from json_each(${sql.parameter(fetch)}))`;
}

/** SQLite: the values of one column as one JSON text. */
function jsonValues(name: string, column: string): Sql {
  const fetch = (args: Args) => JSON.stringify(inputRows(args, name).map((row) => row[column] ?? null));
  return sql`(select value from json_each(${sql.parameter(fetch)}))`;
}

function inputRows(args: Args, name: string): Record<string, unknown>[] {
  return args[name] as Record<string, unknown>[];
}
