// Fills an empty store with users and their sessions directly in the database: a million in seconds.
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { openPostgresStore } from '../../src/store/postgres/postgres.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqlite.ts';
import type { Store } from '../../src/store/store.ts';

type Population = { readonly users: number; readonly sessionsPerUser: number };

/** The time of the first session id. */
const sessionsBegin = Date.now() - 20 * 86_400_000;
const idleMilliseconds = 30 * 86_400_000;
const lifeMilliseconds = 180 * 86_400_000;

export function sessionIdAt(index: number): string {
  const time = (sessionsBegin + index).toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`;
}

export function phoneAt(index: number): string {
  return `+1${String(index).padStart(9, '0')}`;
}

/** Migrates the file, fills it and leaves it open. */
export async function fillSqlite(path: string, population: Population): Promise<Store> {
  const store = await openSqliteStore(path, (error) => console.error(error));
  await store.migrations.up();
  const db = new DatabaseSync(path);
  db.exec('pragma synchronous = off; begin');
  const series = (count: number) =>
    `with recursive n(i) as (select 0 union all select i + 1 from n where i + 1 < ${count})`;
  const hex = (text: string) => `printf('%012x', ${text})`;
  for (const text of statements(population, { series, hex, pad: (text) => `printf('%09d', ${text})` })) db.exec(text);
  db.exec('commit; pragma wal_checkpoint(truncate)');
  db.close();
  return store;
}

export async function fillPostgres(url: string, population: Population): Promise<Store> {
  const store = await openPostgresStore(url, (error) => console.error(error));
  await store.migrations.up();
  const series = (count: number) => `with n as (select generate_series(0::bigint, ${count - 1}) as i)`;
  const hex = (text: string) => `lpad(to_hex(${text}), 12, '0')`;
  const fill = statements(population, { series, hex, pad: (text) => `lpad(${text}::text, 9, '0')` });
  await indexAfterwards(url, ['users', 'sessions'], fill);
  await runOn(url, ['vacuum analyze', 'checkpoint']);
  return store;
}

/** Runs the statements without the indexes of the tables and builds these at the end, which takes half as long for millions of rows. */
export async function indexAfterwards(url: string, tables: readonly string[], fill: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ name: string; definition: string }>(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition from pg_index
      where indrelid = any($1::regclass[]) and not exists (select from pg_constraint where conindid = indexrelid)`,
    [tables],
  );
  for (const { name } of rows) await client.query(`drop index ${name}`);
  for (const text of fill) await client.query(text);
  for (const { definition } of rows) await client.query(definition);
  await client.end();
}

/** Creates an empty database on that server and returns its URL. */
export async function createDatabase(serverUrl: string, name: string): Promise<string> {
  await runOn(serverUrl, [`create database ${name} template template0 encoding 'UTF8' locale 'C'`]);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}

async function runOn(url: string, texts: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  for (const text of texts) await client.query(text);
  await client.end();
}

type Words = { readonly series: (count: number) => string; hex(text: string): string; pad(text: string): string };

/** The sessions of one user are spread over time, as sign-ins are. */
function statements({ users, sessionsPerUser }: Population, { series, hex, pad }: Words): string[] {
  const now = Date.now();
  const time = hex(`${sessionsBegin} + i`);
  const id = `substr(${time}, 1, 8) || '-' || substr(${time}, 9) || '-7000-8000-000000000000'`;
  const ends = `${now + idleMilliseconds}, ${now + lifeMilliseconds}`;
  return [
    `${series(users)} insert into users (id, phone, created_at) select 'user-' || i, '+1' || ${pad('i')}, ${now} from n`,
    `${series(users * sessionsPerUser)} insert into sessions (id, user_id, seed_hash, counter, rotated_at, created_at,
      last_used_at, expires_at, ends_at, user_agent, method)
      select ${id}, 'user-' || (i % ${users}), 'seed', 0, ${now}, ${now}, ${now}, ${ends}, 'Bench/1', 'sms' from n`,
  ];
}
