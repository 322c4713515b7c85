// A statement is built once per database with the SQL library, keeps a constant text, and takes its figures as named arguments.
import {
  type CompiledQuery,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type RawBuilder,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  sql,
} from 'kysely';
import { arrayTypeOf, type ColumnOf, columnsOf, type Database, type Row, type TableName } from './schema.ts';

export type Dialect = 'sqlite' | 'postgres';

export type Args = Readonly<Record<string, unknown>>;

export type Bound = { readonly text: string; readonly name: string; bind(args: Args): unknown[] };

/** Typed by the row it gives; compiled at first use for each database. */
export type Statement<Result> = { readonly on: (dialect: Dialect) => Bound; readonly row?: Result };

type Compilable<Result> = { compile(): CompiledQuery<Result> };

export type Tools = {
  readonly dialect: Dialect;
  readonly db: Kysely<Database>;
  /** Every column of the table by its name: one that a later version has added must not change what a prepared text answers. */
  all(table: TableName): RawBuilder<unknown>;
  /** A single figure, named. */
  value<T>(name: string): RawBuilder<T>;
  /** Many input rows, named, to be joined or selected from; all figures travel as one constant set of parameters. */
  rows<T extends TableName, C extends ColumnOf<T>>(
    name: string,
    table: T,
    columns: readonly C[],
  ): RawBuilder<Pick<Row<T>, C>>;
  /** True where the column has a value of the named input rows. */
  isAmong<T extends TableName>(table: T, column: ColumnOf<T>, name: string): RawBuilder<boolean>;
  /** Locks the chosen rows until the end of the transaction; `skip` passes over rows that another node holds. */
  lock(skip?: 'skip'): RawBuilder<unknown>;
};

export function statement<Result>(build: (tools: Tools) => Compilable<Result>): Statement<Result> {
  const compiled = new Map<Dialect, Bound>();
  const on = (dialect: Dialect): Bound => {
    const known = compiled.get(dialect);
    if (known !== undefined) return known;
    const query = build(toolsOf(dialect)).compile();
    const fetchers = query.parameters.map(fetcherOf);
    const bound = {
      text: query.sql,
      name: `g${++count}`,
      bind: (args: Args) => fetchers.map((fetch) => fetch(args)),
    };
    compiled.set(dialect, bound);
    return bound;
  };
  return { on };
}

let count = 0;

/** A parameter that is not a figure yet but tells how to fetch it from the arguments. */
const slotMark = Symbol('slot');

type Slot = { readonly [slotMark]: (args: Args) => unknown };

function slot(fetch: (args: Args) => unknown): Slot {
  return { [slotMark]: fetch };
}

function fetcherOf(parameter: unknown): (args: Args) => unknown {
  const isSlot = typeof parameter === 'object' && parameter !== null && slotMark in parameter;
  return isSlot ? (parameter as Slot)[slotMark] : () => parameter;
}

function toolsOf(dialect: Dialect): Tools {
  const db = compilerOf(dialect);
  return {
    dialect,
    db,
    all: (table) => sql.join(columnsOf(table).map((column) => sql.ref(column))),
    value: <T>(name: string) => sql<T>`${slot((args) => args[name])}`,
    rows: <T extends TableName, C extends ColumnOf<T>>(name: string, table: T, columns: readonly C[]) =>
      dialect === 'postgres' ? arrays<Pick<Row<T>, C>>(name, table, columns) : json<Pick<Row<T>, C>>(name, columns),
    isAmong: (table, column, name) =>
      dialect === 'postgres'
        ? sql<boolean>`${sql.ref(`${table}.${column}`)} = any(${array(name, table, column)})`
        : sql<boolean>`${sql.ref(`${table}.${column}`)} in ${json(name, [column])}`,
    lock: (skip) =>
      dialect === 'postgres' ? (skip === 'skip' ? sql`for update skip locked` : sql`for update`) : sql``,
  };
}

/** PostgreSQL: one array a column. */
function arrays<Result>(name: string, table: TableName, columns: readonly string[]): RawBuilder<Result> {
  const parts = columns.map((column) => array(name, table, column));
  return sql<Result>`(select * from unnest(${sql.join(parts)}) as t(${sql.join(columns.map((column) => sql.ref(column)))}))`;
}

function array(name: string, table: TableName, column: string): RawBuilder<unknown> {
  const fetch = (args: Args) => inputRows(args, name).map((row) => row[column] ?? null);
  return sql`${slot(fetch)}::${sql.raw(arrayTypeOf(table, column))}`;
}

/** SQLite: one JSON text of all rows. */
function json<Result>(name: string, columns: readonly string[]): RawBuilder<Result> {
  const fetch = (args: Args) =>
    JSON.stringify(inputRows(args, name).map((row) => columns.map((column) => row[column] ?? null)));
  const parts = columns.map((column, index) => sql`value ->> ${sql.lit(index)} as ${sql.ref(column)}`);
  return sql<Result>`(select ${sql.join(parts)} from json_each(${slot(fetch)}))`;
}

function inputRows(args: Args, name: string): Record<string, unknown>[] {
  return args[name] as Record<string, unknown>[];
}

function compilerOf(dialect: Dialect): Kysely<Database> {
  const createDriver = () => new DummyDriver();
  return new Kysely<Database>({
    dialect:
      dialect === 'postgres'
        ? {
            createAdapter: () => new PostgresAdapter(),
            createDriver,
            createIntrospector: (db) => new PostgresIntrospector(db),
            createQueryCompiler: () => new PostgresQueryCompiler(),
          }
        : {
            createAdapter: () => new SqliteAdapter(),
            createDriver,
            createIntrospector: (db) => new SqliteIntrospector(db),
            createQueryCompiler: () => new SqliteQueryCompiler(),
          },
  });
}
