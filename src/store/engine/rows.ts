// Loads whole rows by key and saves what changed in them, many at a time: the only shape of access that most operations need.
import { type ColumnOf, columnsOf, keyOf, type Row, type TableName } from './schema.ts';
import { sql } from './sql.ts';
import { type Statement, statement } from './statement.ts';
import type { Transaction } from './transaction.ts';

/** Rows at hand: read, changed and added in memory, then saved in two statements. Inputs of one batch see each other through it. */
export type RowSet<T extends TableName> = {
  get(key: string | number | null): Row<T> | undefined;
  /** Adds a row, or replaces the one with its key. */
  put(row: Row<T>): void;
  /** In the order of a column that no two rows share, where that is another than they were opened by. */
  save(order?: ColumnOf<T>): Promise<void>;
};

/** Loads the rows whose column has one of the values; where the operation writes, locked against other nodes until it ends. */
export async function openRows<T extends TableName>(
  transaction: Transaction,
  table: T,
  column: ColumnOf<T>,
  values: Iterable<string | number | null | undefined>,
): Promise<RowSet<T>> {
  const wanted = [...new Set(values)].filter((value) => value != null).map((value) => ({ [column]: value }));
  const loaded =
    wanted.length === 0
      ? []
      : await transaction.all(transaction.reads ? lister<T>(table, column) : selector<T>(table, column), { wanted });
  const keyColumn = keyOf(table)[0] as ColumnOf<T>;
  const keyed = (row: Row<T>) => row[keyColumn] as string | number;
  const rows = new Map<unknown, Row<T>>(loaded.map((row) => [row[column], row]));
  const existing = new Map(loaded.map((row) => [keyed(row), row]));
  const changed = new Map<string | number, Row<T>>();
  return {
    get: (key) => rows.get(key),
    put: (row) => {
      rows.set(row[column], row);
      changed.set(keyed(row), row);
    },
    save: async (order = column) => {
      // In one order on every node, so that two that make the same rows wait one way only.
      const all = [...changed.values()].sort((a, b) => (String(a[order]) < String(b[order]) ? -1 : 1));
      await insert(
        transaction,
        table,
        all.filter((row) => !existing.has(keyed(row))),
      );
      const known = all.filter((row) => existing.has(keyed(row)));
      const change = (some: readonly Row<T>[]) =>
        update(
          transaction,
          table,
          some,
          changedColumns(table, some, (row) => existing.get(keyed(row))),
        );
      // A statement takes its rows in whatever order the database likes: where another order counts, each is one of its own.
      if (order === column) await change(known);
      else for (const row of known) await change([row]);
    },
  };
}

/** All rows whose column has one of the values; not locked. */
export async function listBy<T extends TableName>(
  transaction: Transaction,
  table: T,
  column: ColumnOf<T>,
  values: Iterable<string>,
): Promise<Row<T>[]> {
  const wanted = [...new Set(values)].map((value) => ({ [column]: value }));
  return wanted.length === 0 ? [] : transaction.all(lister<T>(table, column), { wanted });
}

/** Fails on a key that exists, so that two nodes that make the same row never both succeed: the transaction is then run again. */
export async function insert<T extends TableName>(
  transaction: Transaction,
  table: T,
  rows: readonly Row<T>[],
): Promise<void> {
  if (rows.length > 0) await transaction.run(inserter(table), { rows });
}

/** Only the columns that are named: an index over any other is left alone. */
export async function update<T extends TableName>(
  transaction: Transaction,
  table: T,
  rows: readonly Row<T>[],
  columns: readonly ColumnOf<T>[],
): Promise<void> {
  if (rows.length > 0 && columns.length > 0) await transaction.run(updater(table, columns), { rows });
}

/** In which any of the rows differs from what it was. */
function changedColumns<T extends TableName>(
  table: T,
  rows: readonly Row<T>[],
  before: (row: Row<T>) => Row<T> | undefined,
): ColumnOf<T>[] {
  const columns = columnsOf(table) as ColumnOf<T>[];
  return columns.filter((column) => rows.some((row) => row[column] !== before(row)?.[column]));
}

export async function remove<T extends TableName>(
  transaction: Transaction,
  table: T,
  keys: readonly Partial<Row<T>>[],
): Promise<void> {
  if (keys.length > 0) await transaction.run(remover(table), { rows: keys });
}

const kept = new Map<string, Statement<unknown>>();

function keep<Result>(name: string, make: () => Statement<Result>): Statement<Result> {
  const known = kept.get(name);
  if (known !== undefined) return known as Statement<Result>;
  const made = make();
  kept.set(name, made);
  return made;
}

function selector<T extends TableName>(table: T, column: ColumnOf<T>): Statement<Row<T>> {
  return keep(`select ${table} ${column}`, () =>
    statement<Row<T>>(({ all, isAmong, keyOrder, lock }) => {
      const isWanted = isAmong(table, column, 'wanted');
      // Always locked in the order of the key, by whatever column they are found.
      const order = keyOf(table)[0] === column ? sql.ref(column) : keyOrder(table);
      return sql`select ${all(table)} from ${sql.table(table)} where ${isWanted} order by ${order} ${lock()}`;
    }),
  );
}

function lister<T extends TableName>(table: T, column: ColumnOf<T>): Statement<Row<T>> {
  return keep(`list ${table} ${column}`, () =>
    statement<Row<T>>(
      ({ all, isAmong }) =>
        sql`select ${all(table)} from ${sql.table(table)} where ${isAmong(table, column, 'wanted')}`,
    ),
  );
}

function inserter(table: TableName): Statement<never> {
  return keep(`insert ${table}`, () =>
    statement<never>(({ rows }) => {
      const columns = columnsOf(table) as ColumnOf<TableName>[];
      const names = sql.join(columns.map((column) => sql.ref(column)));
      return sql`insert into ${sql.table(table)} (${names}) select ${names} from ${rows('rows', table, columns)} as input`;
    }),
  );
}

function updater<T extends TableName>(table: T, columns: readonly ColumnOf<T>[]): Statement<never> {
  return keep(`update ${table} ${columns.join(' ')}`, () =>
    statement<never>(({ rows }) => {
      const key = keyOf(table) as ColumnOf<T>[];
      const sets = columns.map((column) => sql`${sql.ref(column)} = ${sql.ref(`input.${column}`)}`);
      const joins = key.map((column) => sql`${sql.ref(`${table}.${column}`)} = ${sql.ref(`input.${column}`)}`);
      const input = rows('rows', table, [...key, ...columns]);
      return sql`update ${sql.table(table)} set ${sql.join(sets)} from ${input} as input where ${sql.join(joins, sql` and `)}`;
    }),
  );
}

function remover(table: TableName): Statement<never> {
  return keep(`delete ${table}`, () =>
    statement<never>(({ isAmong, lockedWhere }) => {
      const [key] = keyOf(table) as ColumnOf<TableName>[];
      if (key === undefined) throw new Error(`${table} has no key`);
      return sql`delete from ${sql.table(table)} where ${lockedWhere(table, isAmong(table, key, 'rows'))}`;
    }),
  );
}
