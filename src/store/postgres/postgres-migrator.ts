// Migrates PostgreSQL: one node at a time, statements in one transaction, large indexes concurrently with writers.
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
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
import type { MigrationState, MigrationWatch } from '../store.ts';
import type { Cluster } from './cluster.ts';
import { isFinalRefusal } from './cluster-refusal.ts';
import { makeOwnTables, readMigrationRows } from './own-tables.ts';
import { isStoreProblem } from './postgres-errors.ts';
import { connectToPostgres, refuseSharedSessions } from './postgres-servers.ts';

/** A migration waits this long for table locks. Then it rolls back and starts again. */
const patienceMilliseconds = 500;
const retryMilliseconds = 1000;
/** The time-out for the row on which nodes wait for each other. */
const lockMilliseconds = 120_000;
/** An advisory lock of the database: the node that holds it builds indexes. */
const builderLock = 7_162_008;

/** Only looks: the database may be one that was named by mistake. */
export async function readMigrations(cluster: Cluster): Promise<MigrationState[]> {
  return withClient(cluster, async (client) => judgeMigrations(migrations, await readMigrationRows(client)));
}

export async function migratePostgres(
  cluster: Cluster,
  watch: MigrationWatch = {},
  list: readonly Migration[] = migrations,
): Promise<string[]> {
  const { onWait, onStep } = watch;
  const applied: string[] = [];
  for (;;) {
    try {
      await withClient(cluster, async (client) => {
        await prepare(client);
        await applyAll(client, list, applied, onStep);
      });
      return applied;
    } catch (error) {
      const isLocked = ['55P03', '40P01'].includes((error as { code?: string }).code ?? '');
      if (!isLocked && (onWait === undefined || isFinalRefusal(error) || !isStoreProblem(error))) throw error;
      onWait?.(error as Error);
      await sleep(retryMilliseconds);
    }
  }
}

type OnStep = MigrationWatch['onStep'];

/** Applies migrations in order: the indexes of a migration are complete before the next migration runs. */
async function applyAll(client: pg.Client, list: readonly Migration[], applied: string[], onStep: OnStep) {
  for (;;) {
    const states = judgeMigrations(list, await readMigrationRows(client));
    if (states.every(({ isApplied }) => isApplied)) return;
    applied.push(...(await buildIndexes(client, list, onStep)));
    applied.push(...(await runStatements(client, list, onStep)));
  }
}

/**
 * Runs in one transaction with a row lock: if two nodes start together, one migrates and the other waits. A node that is killed
 * halfway leaves the database unchanged. Stops before the next indexes to build. Returns the names of the completed migrations.
 */
async function runStatements(client: pg.Client, list: readonly Migration[], onStep: OnStep): Promise<string[]> {
  await client.query('begin');
  await client.query('select name from schema_migrations where name = $1 for update', [lockName]);
  const rows = await readMigrationRows(client);
  const missing = list.filter(({ name }) => !rows.includes(name));
  const isFirst = missing.length === list.length;
  const end = isFirst ? -1 : missing.findIndex(({ indexes = [] }) => indexes.length > 0);
  const batch = end < 0 ? missing : missing.slice(0, end + 1);
  const startedAt = performance.now();
  const change = async (text: string) => {
    await client.query(`set local lock_timeout = ${remainingLockTimeout(startedAt)}`);
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
 * One node builds, and the others poll until it is done. A node that waited in a statement would hold a snapshot, and the build
 * waits for every older snapshot. Returns the names of the completed migrations.
 */
async function buildIndexes(client: pg.Client, list: readonly Migration[], onStep: OnStep): Promise<string[]> {
  const completed: string[] = [];
  for (;;) {
    const rows = await readMigrationRows(client);
    const missing = list.flatMap((migration) =>
      (migration.indexes ?? [])
        .filter((index) => rows.includes(pendingName(migration, index)))
        .map((index) => ({ migration, index })),
    );
    const [next] = missing;
    if (next === undefined) return completed;
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
    // Another node may have completed it a moment ago.
    if (isLast && rowCount === 1) completed.push(next.migration.name);
  }
}

async function takeBuilderLock(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [builderLock]);
  return rows[0]?.taken === true;
}

/** An unfinished index of an earlier attempt is invalid and blocks nothing. It is removed and built again. */
async function buildIndex(client: pg.Client, index: IndexBuild): Promise<void> {
  // The build waits for long transactions of other connections, but no connection waits for the build.
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
 * Changes nothing, but locks the table that every write transaction uses first. Running writes end, and new writes wait before they
 * hold any lock, so that there is no deadlock.
 */
const lockOutWriters = 'alter table receipts alter column id set not null';

/**
 * A migration that waits for a table lock blocks all later requests for that table and keeps its own locks. So the waits of one
 * attempt together are shorter than the lock time-out of other connections, and end before the deadlock check of the database.
 */
function remainingLockTimeout(startedAt: number): number {
  return Math.max(50, Math.round(patienceMilliseconds - (performance.now() - startedAt)));
}

async function prepare(client: pg.Client): Promise<void> {
  await readMigrationRows(client);
  await makeOwnTables(client);
  await client.query('insert into schema_migrations (name, applied_at) values ($1, 0) on conflict (name) do nothing', [
    lockName,
  ]);
}

async function withClient<T>(cluster: Cluster, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = await connectToPostgres(
    cluster,
    { connectionTimeoutMillis: 4000 },
    { lock_timeout: lockMilliseconds },
  );
  try {
    await refuseSharedSessions(cluster, client);
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}
