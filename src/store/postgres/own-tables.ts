// The two small tables that come before every migration, and whether a database has the tables of this service at all.
import type pg from 'pg';
import { columnTypes } from '../migrations/all.ts';
import { createMemoryTable } from './ask-server.ts';
import { codeOf } from './postgres-errors.ts';

const { text, int } = columnTypes.postgres;

const ownTables = {
  schema_migrations: `create table if not exists schema_migrations (name ${text} primary key, applied_at ${int} not null)`,
  database_cluster: createMemoryTable,
};

/**
 * Looks first: a user that may not create tables can use those that are there. Two nodes may create one at once, and the slower one
 * then finds it, in the middle of a transaction too: the block has a savepoint of its own.
 */
export async function makeOwnTables(client: pg.ClientBase): Promise<void> {
  for (const [name, create] of Object.entries(ownTables)) {
    if (await hasTable(client, name)) continue;
    try {
      // The name of a table is also that of the type of its rows, which the slower one may meet first.
      await client.query(
        `do $make$ begin ${create}; exception when unique_violation or duplicate_table or duplicate_object then null; end $make$`,
      );
      // Without the other node's table, the name belongs to something else: the server says to what.
      if (!(await hasTable(client, name))) await client.query(create);
    } catch (error) {
      if (['42501', '3F000'].includes(codeOf(error))) throw await mayNotCreate(client, error);
      throw error;
    }
  }
}

/** The names of the applied migrations. Changes nothing. */
export async function readMigrationRows(client: pg.ClientBase): Promise<string[]> {
  if (!(await hasTable(client, 'schema_migrations'))) return [];
  try {
    const { rows } = await client.query<{ name: string }>('select name from schema_migrations');
    return rows.map(({ name }) => name);
  } catch (error) {
    // Many programs have a table of this name. Theirs has other columns.
    throw codeOf(error) === '42703' ? otherProgram(error) : error;
  }
}

export async function refuseOtherDatabase(client: pg.ClientBase): Promise<void> {
  const names = await readMigrationRows(client);
  if (names.length === 0 || !(await hasTable(client, 'audit_events'))) throw noTables();
}

async function hasTable(client: pg.ClientBase, name: string): Promise<boolean> {
  const { rows } = await client.query<{ has: boolean }>('select to_regclass($1) is not null as has', [name]);
  return rows[0]?.has === true;
}

function noTables(): Error {
  return Object.assign(new Error('this database has no Gatehouse tables'), { code: 'DATABASE_EMPTY', isFinal: true });
}

function otherProgram(cause: unknown): Error {
  const message = 'the table schema_migrations of this database belongs to another program';
  return Object.assign(new Error(message, { cause }), { code: 'DATABASE_OTHER', isFinal: true });
}

/** The transaction may have failed: what to grant is asked after its end. */
async function mayNotCreate(client: pg.ClientBase, cause: unknown): Promise<Error> {
  await client.query('rollback');
  const { rows } = await client.query<{ role: string; schema: string }>(
    "select quote_ident(current_user) as role, quote_ident(coalesce(current_schema(), 'public')) as schema",
  );
  const { role = 'USER', schema = 'public' } = rows[0] ?? {};
  const message = `the user lacks the right CREATE on the schema ${schema}`;
  const cure = `as the owner of the database, run: grant usage, create on schema ${schema} to ${role}`;
  return Object.assign(new Error(message, { cause }), { code: 'DATABASE_GRANT', isFinal: true, cure });
}
