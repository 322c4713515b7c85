// The type of a migration: a name, statements for the column types of the database, and indexes over large tables.

/** A table as it is made anew: its definition, the columns to copy, and its indexes. */
type TableCopy = { readonly table: string; readonly columns: string; readonly indexes: readonly string[] };

export type ColumnTypes = {
  readonly text: string;
  readonly int: string;
  /** A suffix for tables whose rows change often: leaves free space in each page, so that an update touches no index. */
  readonly roomy: string;
  /** Converts a column of JSON text for JSON operators. */
  readonly asJson: (column: string) => string;
  /** Adds a column for a time that is now in every row there is. PostgreSQL does so without touching them. */
  readonly addTimeOfNow: (table: string, column: string) => string[];
  /** A sequence of numbers that transactions take in the order of their calls. SQLite has one writer and needs none. */
  readonly sequence: (name: string) => string[];
  /** Allows null in a column. SQLite cannot change a column: it copies the table. */
  readonly withoutNotNull: (table: string, column: string, copy: TableCopy) => string[];
};

/**
 * An index over a table that may be large. PostgreSQL builds it concurrently with writers, after the statements of its migration
 * and outside a transaction. SQLite builds it with the statements.
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

/** Statements and indexes together, for tables that are empty or that no other connection can write to. */
export function plainStatements({ statements, indexes = [] }: Migration, types: ColumnTypes): string[] {
  return [...statements(types), ...indexes.map((index) => createIndex(index))];
}

/** The row that a migrating node locks, so that other nodes wait. */
export const lockName = 'lock';
const awaits = ' awaits ';

/** The name of the row that marks an index as not yet built. The row is removed when the index is built. */
export function pendingName({ name }: Migration, index: IndexBuild): string {
  return `${name}${awaits}${index.name}`;
}

/** The names of migrations among the rows of schema_migrations. */
export function namesAmong(rows: readonly string[]): string[] {
  return rows.filter((row) => row !== lockName && !row.includes(awaits)).toSorted();
}

/** The migrations of this version in order, then the ones that only another version knows. */
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
