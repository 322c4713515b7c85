// Loads whole rows by key and saves their changes, many at a time. Most operations need no other access.
import { type ColumnOf, columnsOf, keyOf, type Row, type TableName } from './schema.ts';
import { sql } from './sql.ts';
import { type Statement, statement } from './statement.ts';
import type { Transaction } from './transaction.ts';

/** Rows in memory: read, changed and added there, then saved in two statements. The inputs of a batch see each other's changes. */
export type RowSet<T extends TableName> = {
  get(key: string | number | null): Row<T> | undefined;
  /** Adds a row, or replaces the one with its key. */
  put(row: Row<T>): void;
  /** `order`: a unique column to save in the order of. The default is the column that the rows were opened by. */
  save(order?: ColumnOf<T>): Promise<void>;
};

/** Loads the rows whose column has one of the values. A writing operation locks them until its transaction ends. */
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
      // The same order on every node, so that two nodes that insert the same rows cannot deadlock.
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
      // Within one statement the database chooses the order of rows. If another order is needed, each row gets its own statement.
      if (order === column) await change(known);
      else for (const row of known) await change([row]);
    },
  };
}

/** All rows whose column has one of the values, without a lock. */
export async function listBy<T extends TableName>(
  transaction: Transaction,
  table: T,
  column: ColumnOf<T>,
  values: Iterable<string>,
): Promise<Row<T>[]> {
  const wanted = [...new Set(values)].map((value) => ({ [column]: value }));
  return wanted.length === 0 ? [] : transaction.all(lister<T>(table, column), { wanted });
}

/** Fails if the key exists. If two nodes insert the same row, one of them fails and its transaction runs again. */
export async function insert<T extends TableName>(
  transaction: Transaction,
  table: T,
  rows: readonly Row<T>[],
): Promise<void> {
  if (rows.length > 0) await transaction.run(inserter(table), { rows });
}

/** Writes only the named columns, so that indexes over other columns are not touched. */
export async function update<T extends TableName>(
  transaction: Transaction,
  table: T,
  rows: readonly Row<T>[],
  columns: readonly ColumnOf<T>[],
): Promise<void> {
  if (rows.length > 0 && columns.length > 0) await transaction.run(updater(table, columns), { rows });
}

/** The columns in which at least one row differs from its loaded version. */
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

const cache = new Map<string, Statement<unknown>>();

function cached<Result>(name: string, make: () => Statement<Result>): Statement<Result> {
  const known = cache.get(name);
  if (known !== undefined) return known as Statement<Result>;
  const made = make();
  cache.set(name, made);
  return made;
}

function selector<T extends TableName>(table: T, column: ColumnOf<T>): Statement<Row<T>> {
  return cached(`select ${table} ${column}`, () =>
    statement<Row<T>>(({ all, isAmong, keyOrder, lock }) => {
      const isWanted = isAmong(table, column, 'wanted');
      // Rows are always locked in key order, whichever column selects them.
      const order = keyOf(table)[0] === column ? sql.ref(column) : keyOrder(table);
      return sql`select ${all(table)} from ${sql.table(table)} where ${isWanted} order by ${order} ${lock()}`;
    }),
  );
}

function lister<T extends TableName>(table: T, column: ColumnOf<T>): Statement<Row<T>> {
  return cached(`list ${table} ${column}`, () =>
    statement<Row<T>>(
      ({ all, isAmong }) =>
        sql`select ${all(table)} from ${sql.table(table)} where ${isAmong(table, column, 'wanted')}`,
    ),
  );
}

function inserter(table: TableName): Statement<never> {
  return cached(`insert ${table}`, () =>
    statement<never>(
      ({ isOne, only, rows }) => {
        const columns = columnsOf(table) as ColumnOf<TableName>[];
        const names = sql.join(columns.map((column) => sql.ref(column)));
        const into = sql`insert into ${sql.table(table)} (${names})`;
        if (isOne) return sql`${into} values (${sql.join(columns.map((column) => only('rows', column)))})`;
        return sql`${into} select ${names} from ${rows('rows', table, columns)} as input`;
      },
      { isPerRow: true },
    ),
  );
}

function updater<T extends TableName>(table: T, columns: readonly ColumnOf<T>[]): Statement<never> {
  return cached(`update ${table} ${columns.join(' ')}`, () =>
    statement<never>(
      ({ isOne, only, rows, lookUp }) => {
        const key = keyOf(table) as ColumnOf<T>[];
        const given = (column: string) => (isOne ? only('rows', column) : sql.ref(`input.${column}`));
        const sets = columns.map((column) => sql`${sql.ref(column)} = ${given(column)}`);
        const matches = key.map((column) => sql`${sql.ref(`${table}.${column}`)} = ${given(column)}`);
        const input = isOne ? sql`` : sql`from ${rows('rows', table, [...key, ...columns])} as input`;
        return sql`update ${sql.table(table)} set ${sql.join(sets)} ${input}
        where ${sql.join(matches, sql` and `)} ${lookUp(table, key[0] as ColumnOf<T>, 'rows')}`;
      },
      { isPerRow: true },
    ),
  );
}

function remover(table: TableName): Statement<never> {
  return cached(`delete ${table}`, () =>
    statement<never>(
      ({ isAmong, lockedWhere }) => {
        const [key] = keyOf(table) as ColumnOf<TableName>[];
        if (key === undefined) throw new Error(`${table} has no key`);
        return sql`delete from ${sql.table(table)} where ${lockedWhere(table, isAmong(table, key, 'rows'))}`;
      },
      { isPerRow: true },
    ),
  );
}
