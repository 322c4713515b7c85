// Reads the columns, keys and indexes that the migrations have created, in the terms of the schema.
import type { EmptyDatabase } from '../../helpers/store/test-store.ts';

/** PostgreSQL's text must compare bytewise, whatever the locale of the database. */
const kinds: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  sqlite: { text: 'text', integer: 'int' },
  postgres: { 'text C': 'text', bigint: 'int' },
};

/** Columns of every table but the list of migrations: text and int, with a question mark where null is allowed. */
export async function readColumns(database: EmptyDatabase): Promise<Record<string, Record<string, string>>> {
  const rows = await database.query(
    database.kind === 'sqlite'
      ? `select t.name as "table", c.name as "column", lower(c.type) as type, c."notnull" = 0 and c.pk = 0 as optional
         from sqlite_schema t, pragma_table_info(t.name) c where t.type = 'table' order by t.name, c.cid`
      : `select table_name as "table", column_name as "column", is_nullable = 'YES' as optional,
         data_type || coalesce(' ' || collation_name, '') as type
         from information_schema.columns where table_schema = 'public' order by table_name collate "C", ordinal_position`,
  );
  return byTable(rows, (columns) =>
    Object.fromEntries(
      columns.map((row) => [
        row.column,
        `${kinds[database.kind]?.[String(row.type)] ?? row.type}${row.optional ? '?' : ''}`,
      ]),
    ),
  );
}

export async function readKeys(database: EmptyDatabase): Promise<Record<string, unknown[]>> {
  const rows = await database.query(
    database.kind === 'sqlite'
      ? `select t.name as "table", c.name as "column" from sqlite_schema t, pragma_table_info(t.name) c
         where t.type = 'table' and c.pk > 0 order by t.name, c.pk`
      : `select table_name as "table", column_name as "column" from information_schema.key_column_usage
         where constraint_name like '%_pkey' order by table_name collate "C", ordinal_position`,
  );
  return byTable(rows, (columns) => columns.map((row) => row.column));
}

/** Every index with its definition. */
export async function readIndexes(database: EmptyDatabase): Promise<unknown[]> {
  return database.query(
    database.kind === 'sqlite'
      ? 'select name, sql from sqlite_schema order by name'
      : "select indexname as name, indexdef as sql from pg_indexes where schemaname = 'public' order by indexname",
  );
}

type Rows = Record<string, unknown>[];

function byTable<T>(rows: Rows, read: (columns: Rows) => T): Record<string, T> {
  const groups = Map.groupBy(rows, (row) => String(row.table));
  // What the program keeps about the database itself.
  for (const table of ['schema_migrations', 'database_cluster']) groups.delete(table);
  return Object.fromEntries([...groups].map(([table, columns]) => [table, read(columns)]));
}
