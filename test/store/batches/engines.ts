// The two databases as the batch property uses them: from given rows, runs batches of calls and shows answers and rows.
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import type { Outcome } from '../../../src/store/batch.ts';
import type { TableName } from '../../../src/store/engine/schema.ts';
import { tables } from '../../../src/store/engine/tables.ts';
import type { InputOf, OperationName } from '../../../src/store/operations/all.ts';
import { openPostgresStore } from '../../../src/store/postgres/postgres.ts';
import { openSqliteDatabase } from '../../../src/store/sqlite/sqlite-database.ts';
import { jsonAnswers } from '../../../src/store/sqlite/sqlite-messages.ts';
import { createMigratedDatabase } from '../../helpers/databases/databases.ts';
import type { StoreKind } from '../../helpers/services/gatehouse.ts';
import { endpoints } from './pool.ts';
import type { Rows } from './tables.ts';

export type Call = { [N in OperationName]: { readonly name: N; readonly input: InputOf<N> } }[OperationName];

export type AnyRow = Readonly<Record<string, unknown>>;

export type Engine = {
  readonly kind: StoreKind;
  /** Runs the calls as those that waited together. */
  run(calls: readonly Call[]): Promise<Outcome[]>;
  /** Replaces all rows. */
  fill(rows: Rows): Promise<void>;
  read(): Promise<Readonly<Record<TableName, readonly AnyRow[]>>>;
  end(): Promise<void>;
};

const tableNames = Object.keys(tables) as TableName[];

/** `checksLocks`: a statement that breaks the lock order fails its operation, and so the case. */
export function openEngine(kind: StoreKind, checksLocks = true): Promise<Engine> {
  return kind === 'sqlite' ? openSqlite(checksLocks) : openPostgres(checksLocks);
}

/** The thread sends these answers as JSON. */
function checkJson(name: OperationName | undefined, outcome: Outcome): void {
  if (name === undefined || !jsonAnswers.has(name) || !('value' in outcome)) return;
  const { value } = JSON.parse(JSON.stringify(outcome)) as typeof outcome;
  assert.deepEqual(value, outcome.value, `the answer of ${name} as JSON`);
}

/** In memory if the machine offers it, because this is about answers and rows, not about the disk. */
async function openSqlite(checksLocks: boolean): Promise<Engine> {
  const folder = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'gatehouse-batches-'));
  const path = join(folder, 'gatehouse.db');
  const database = openSqliteDatabase(path, endpoints, checksLocks);
  database.migrate();
  const beside = new DatabaseSync(path, { timeout: 5000 });
  beside.exec('pragma synchronous = off');
  const clear = tableNames.map((table) => [table, beside.prepare(`delete from ${table}`)] as const);
  const show = tableNames.map((table) => [table, beside.prepare(`select * from ${table}`)] as const);
  const inserts = Object.fromEntries(
    tableNames.map((table) => {
      const names = Object.keys(tables[table].columns);
      const values = names.map((name) => `value ->> '${name}'`).join();
      return [
        table,
        beside.prepare(`insert into ${table} (${names.join()}) select ${values} from json_each(?)`),
      ] as const;
    }),
  );
  // After a reading only the tables that had rows need to be emptied.
  let filled: readonly TableName[] = tableNames;
  return {
    kind: 'sqlite',
    run: async (calls) => {
      filled = tableNames;
      const outcomes = await database.run(calls);
      for (const [index, outcome] of outcomes.entries()) checkJson(calls[index]?.name, outcome);
      return outcomes;
    },
    fill: async (rows) => {
      beside.exec('begin immediate');
      for (const [table, statement] of clear) if (filled.includes(table)) statement.run();
      for (const [table, list] of Object.entries(rows)) inserts[table]?.run(JSON.stringify(list));
      beside.exec('commit');
    },
    read: async () => {
      const found = Object.fromEntries(show.map(([table, all]) => [table, all.all()])) as Record<TableName, AnyRow[]>;
      filled = tableNames.filter((table) => found[table].length > 0);
      return found;
    },
    end: async () => {
      beside.close();
      database.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Deleted rows stay in the tables and slow down every later run until the tables are emptied in another way. */
const fillsBetweenTruncations = 200;

async function openPostgres(checksLocks: boolean): Promise<Engine> {
  const { url, drop } = await createMigratedDatabase();
  const store = await openPostgresStore(url, () => undefined, endpoints, undefined, checksLocks);
  const beside = new pg.Client({ connectionString: url });
  await beside.connect();
  // After a reading only the tables that had rows need to be emptied.
  let filled: readonly TableName[] = tableNames;
  const all = tableNames.map(
    (table) => `'${table}', coalesce((select json_agg(one) from ${table} as one), '[]'::json)`,
  );
  let fills = 0;
  return {
    kind: 'postgres',
    run: async (calls) => {
      filled = tableNames;
      const settled = await Promise.allSettled(calls.map(({ name, input }) => store.call(name, input as never)));
      return settled.map((one) => (one.status === 'fulfilled' ? { value: one.value } : { error: one.reason }));
    },
    fill: async (rows) => {
      fills += 1;
      const isDue = fills % fillsBetweenTruncations === 0;
      const clear = isDue ? [`truncate ${tableNames.join()}`] : filled.map((table) => `delete from ${table}`);
      const inserts = Object.entries(rows).map(([table, list]) => {
        const names = Object.keys(tables[table as TableName].columns).join();
        const text = pg.escapeLiteral(JSON.stringify(list));
        return `insert into ${table} (${names}) select ${names} from json_populate_recordset(null::${table}, ${text})`;
      });
      await beside.query([...clear, ...inserts].join(';'));
    },
    read: async () => {
      const { rows } = await beside.query<{ found: Record<TableName, AnyRow[]> }>({
        name: 'read',
        text: `select json_build_object(${all.join()}) as found`,
      });
      const found = rows[0]?.found ?? ({} as Record<TableName, AnyRow[]>);
      filled = tableNames.filter((table) => found[table].length > 0);
      return found;
    },
    end: async () => {
      await beside.end();
      await store.close();
      await drop();
    },
  };
}
