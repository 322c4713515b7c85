// Migrations on PostgreSQL: statements in one transaction, of one node at a time; indexes over large tables beside the writers.
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { MigrationState, MigrationWatch } from '../engine/store.ts';
import { columnTypes, migrations } from '../migrations/all.ts';
import {
  createIndex,
  type IndexBuild,
  judgeMigrations,
  lockName,
  type Migration,
  pendingName,
  plainStatements,
} from '../migrations/migration.ts';
import { isStoreTrouble } from './postgres-errors.ts';
import { connectToPostgres, refuseSharedSessions } from './postgres-servers.ts';

/** So long a migration waits for tables that others use before it lets go of what it has and begins anew. */
const patienceMilliseconds = 500;
const retryMilliseconds = 1000;
/** For the row on which nodes wait for each other. */
const lockMilliseconds = 120_000;
/** Of a database: whoever has it builds indexes. */
const builderLock = 7_162_008;

export async function readMigrations(url: string): Promise<MigrationState[]> {
  return withClient(url, async (client) => judgeMigrations(migrations, await readRows(client)));
}

export async function migratePostgres(
  url: string,
  watch: MigrationWatch = {},
  list: readonly Migration[] = migrations,
): Promise<string[]> {
  const { onWait, onStep } = watch;
  const applied: string[] = [];
  for (;;) {
    try {
      await withClient(url, (client) => applyAll(client, list, applied, onStep));
      return applied;
    } catch (error) {
      const isLocked = ['55P03', '40P01'].includes((error as { code?: string }).code ?? '');
      if (!isLocked && (onWait === undefined || !isStoreTrouble(error))) throw error;
      onWait?.(error as Error);
      await sleep(retryMilliseconds);
    }
  }
}

type OnStep = MigrationWatch['onStep'];

/** In their order: what a migration builds is there before the next one runs. */
async function applyAll(client: pg.Client, list: readonly Migration[], applied: string[], onStep: OnStep) {
  for (;;) {
    const states = judgeMigrations(list, await readRows(client));
    if (states.every(({ isApplied }) => isApplied)) return;
    applied.push(...(await buildIndexes(client, list, onStep)));
    applied.push(...(await runStatements(client, list, onStep)));
  }
}

/**
 * Behind a row lock, in one transaction: of two nodes that start together one migrates and one waits; killed half way, nothing has
 * happened. Goes as far as the next indexes that are to be built. Gives the names of what is whole by this.
 */
async function runStatements(client: pg.Client, list: readonly Migration[], onStep: OnStep): Promise<string[]> {
  await client.query('begin');
  await client.query('select name from schema_migrations where name = $1 for update', [lockName]);
  const rows = await readRows(client);
  const missing = list.filter(({ name }) => !rows.includes(name));
  const isFirst = missing.length === list.length;
  const end = isFirst ? -1 : missing.findIndex(({ indexes = [] }) => indexes.length > 0);
  const batch = end < 0 ? missing : missing.slice(0, end + 1);
  const begun = performance.now();
  const change = async (text: string) => {
    await client.query(`set local lock_timeout = ${remainingLockTimeout(begun)}`);
    await client.query(text);
  };
  if (batch.length > 0 && !isFirst) await change(lockOutWriters);
  for (const migration of batch) {
    onStep?.(`migration ${migration.name}`);
    const types = columnTypes.postgres;
    for (const text of isFirst ? plainStatements(migration, types) : migration.statements(types)) await change(text);
    const pending = isFirst ? [] : (migration.indexes ?? []).map((index) => pendingName(migration, index));
    for (const name of [migration.name, ...pending])
      await client.query('insert into schema_migrations (name, applied_at) values ($1, $2)', [name, Date.now()]);
  }
  await client.query('commit');
  return batch.filter(({ indexes = [] }) => isFirst || indexes.length === 0).map(({ name }) => name);
}

/**
 * One node builds, the others look again and again whether it is done: to wait in a statement would hold a snapshot, and the build
 * waits for every snapshot that is older than itself. Gives the names of the migrations that are whole by this.
 */
async function buildIndexes(client: pg.Client, list: readonly Migration[], onStep: OnStep): Promise<string[]> {
  const whole: string[] = [];
  for (;;) {
    const rows = await readRows(client);
    const missing = list.flatMap((migration) =>
      (migration.indexes ?? [])
        .filter((index) => rows.includes(pendingName(migration, index)))
        .map((index) => ({ migration, index })),
    );
    const [next] = missing;
    if (next === undefined) return whole;
    onStep?.(`migration ${next.migration.name}, index ${next.index.name}`);
    if (!(await takeBuilderLock(client))) {
      await sleep(retryMilliseconds);
      continue;
    }
    await buildIndex(client, next.index);
    const name = pendingName(next.migration, next.index);
    const { rowCount } = await client.query('delete from schema_migrations where name = $1', [name]);
    await client.query(`select pg_advisory_unlock($1), set_config('lock_timeout', '${lockMilliseconds}', false)`, [
      builderLock,
    ]);
    const isLast = !missing.slice(1).some(({ migration }) => migration === next.migration);
    // Another node may have been done with it a moment ago.
    if (isLast && rowCount === 1) whole.push(next.migration.name);
  }
}

async function takeBuilderLock(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [builderLock]);
  return rows[0]?.taken === true;
}

/** One that was begun and not finished is invalid, and in nobody's way: it is removed and built anew. */
async function buildIndex(client: pg.Client, index: IndexBuild): Promise<void> {
  // Long transactions of others are waited for, and meanwhile nobody waits for this.
  await client.query('set lock_timeout = 0');
  const { rows } = await client.query<{ indisvalid: boolean }>(
    'select indisvalid from pg_index where indexrelid = to_regclass($1)',
    [index.name],
  );
  if (rows[0]?.indisvalid === true) return;
  if (rows.length > 0) await client.query(`drop index concurrently if exists ${index.name}`);
  await client.query(createIndex(index, 'concurrently'));
}

/**
 * Changes nothing, but takes the table with which every write begins: those under way end, the next wait with nothing in their
 * hands, so that no two wait for each other.
 */
const lockOutWriters = 'alter table receipts alter column id set not null';

/**
 * Whoever waits for a table makes all wait who come later, and keeps the tables it has. So all waits of one try together are
 * shorter than anybody else's patience, and end before the database looks for a deadlock and lets the others pay for it.
 */
function remainingLockTimeout(begun: number): number {
  return Math.max(50, Math.round(patienceMilliseconds - (performance.now() - begun)));
}

async function readRows(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>('select name from schema_migrations');
  return rows.map(({ name }) => name);
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = await connectToPostgres(url, { connectionTimeoutMillis: 4000 }, { lock_timeout: lockMilliseconds });
  try {
    await refuseSharedSessions(url, client);
    const { text, int } = columnTypes.postgres;
    // Two nodes may both try to make it; the loser finds it made.
    await client
      .query(`create table if not exists schema_migrations (name ${text} primary key, applied_at ${int} not null)`)
      .catch(() => undefined);
    await client.query(
      'insert into schema_migrations (name, applied_at) values ($1, 0) on conflict (name) do nothing',
      [lockName],
    );
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}
