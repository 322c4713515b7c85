// What a migration is: a name, its statements in the column types of the database at hand, and indexes over large tables.

export type ColumnTypes = {
  readonly text: string;
  readonly int: string;
  /** After a table whose rows change often: leaves room beside each row, so that a change touches no index. */
  readonly roomy: string;
  /** A column of JSON text, to be looked into. */
  readonly asJson: (column: string) => string;
};

/**
 * An index over a table that may be large. PostgreSQL builds it beside the writers, after the statements of its migration and in no
 * transaction; SQLite builds it with the statements.
 */
export type IndexBuild = {
  readonly name: string;
  /** Table, columns and condition: sessions (user_id) where ended_at is null. */
  readonly on: string;
  readonly isUnique?: true;
};

export type Migration = {
  readonly name: string;
  /** All run in one transaction. */
  statements(types: ColumnTypes): string[];
  readonly indexes?: readonly IndexBuild[];
};

export function createIndex({ name, on, isUnique }: IndexBuild, how: 'plainly' | 'concurrently' = 'plainly'): string {
  const kind = isUnique ? 'unique index' : 'index';
  return `create ${kind}${how === 'concurrently' ? ' concurrently' : ''} ${name} on ${on}`;
}

/** Statements and indexes together, for tables that are empty or that nobody else may write to meanwhile. */
export function plainStatements({ statements, indexes = [] }: Migration, types: ColumnTypes): string[] {
  return [...statements(types), ...indexes.map((index) => createIndex(index))];
}

/** The row on which nodes that migrate wait for each other. */
export const lockName = 'lock';
const awaits = ' awaits ';

/** The row that says that an index is still to be built; removed when it is. */
export function pendingName({ name }: Migration, index: IndexBuild): string {
  return `${name}${awaits}${index.name}`;
}

/** Names of migrations among the rows of schema_migrations. */
export function namesAmong(rows: readonly string[]): string[] {
  return rows.filter((row) => row !== lockName && !row.includes(awaits)).toSorted();
}

/** Our own in their order, then those that only another version knows. */
export function judgeMigrations(
  list: readonly Migration[],
  rows: readonly string[],
): { name: string; isApplied: boolean; isUnknown?: true }[] {
  const names = namesAmong(rows);
  const ours = list.map(({ name }) => ({
    name,
    isApplied: names.includes(name) && !rows.some((row) => row.startsWith(`${name}${awaits}`)),
  }));
  const unknown = names.filter((name) => !list.some((one) => one.name === name));
  return [...ours, ...unknown.map((name) => ({ name, isApplied: true, isUnknown: true as const }))];
}
