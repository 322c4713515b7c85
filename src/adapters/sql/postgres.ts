// The store on PostgreSQL: calls of one kind that wait together travel as one transaction, a few in flight at a time.
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { Clock } from '../../kernel/clock.ts';
import { Failure } from '../../kernel/failure.ts';
import { operationNamed, runTogether } from './batch.ts';
import { columnTypes, migrations } from './migrations/all.ts';
import type { OperationName } from './operations/all.ts';
import { isStoreTrouble, openPostgresPool, type PostgresPool } from './postgres-pool.ts';
import { connectToPostgres } from './postgres-servers.ts';
import type { Store } from './store.ts';
import { createStoreMeter, meterBatch, type StoreMeter } from './store-meter.ts';

type Waiting = { input: unknown; resolve(value: unknown): void; reject(error: Error): void };

const mostPerBatch = 256;
const mostInFlight = 2;
const mostWaiting = 20_000;
/** So long a migration waits for tables that others use before it lets go of what it has and begins anew. */
const patienceMilliseconds = 500;

export async function openPostgresStore(
  url: string,
  onTrouble: (error: Error) => void,
  endpoints: readonly string[] = [],
): Promise<Store> {
  const pool = openPostgresPool(url, endpoints);
  const meter = createStoreMeter();
  const queues = new Map<OperationName, ReturnType<typeof createQueue>>();
  const { clock, stop } = followClock(pool);
  const send = (name: OperationName, input: unknown): Promise<unknown> => {
    const known = queues.get(name) ?? createQueue(name, pool, onTrouble, meter);
    queues.set(name, known);
    return known(input);
  };
  return {
    kind: 'postgres',
    clock,
    call: send as Store['call'],
    meter,
    connections: pool.connections,
    ping: async () =>
      void (await pool
        .query('select 1 from schema_migrations limit 1')
        .catch((error) => Promise.reject(toFailure(error, onTrouble)))),
    migrations: { status: () => statusOf(url), up: (onWait) => migrateWhenReachable(url, onWait) },
    close: async () => {
      stop();
      await pool.end();
    },
  };
}

function createQueue(name: OperationName, pool: PostgresPool, onTrouble: (error: Error) => void, meter: StoreMeter) {
  const attempt = operationNamed(name).reads === true ? pool.read : pool.write;
  let waiting: Waiting[] = [];
  let inFlight = 0;

  const flush = async (): Promise<void> => {
    const batch = waiting.slice(0, mostPerBatch);
    waiting = waiting.slice(mostPerBatch);
    inFlight += 1;
    const begun = performance.now();
    const outcomes = await runTogether(
      name,
      batch.map(({ input }) => input),
      attempt,
      isStoreTrouble,
    );
    inFlight -= 1;
    meterBatch(meter, (performance.now() - begun) / 1000, batch.length);
    if (waiting.length > 0) void flush();
    batch.forEach(({ resolve, reject }, index) => {
      const outcome = outcomes[index];
      if (outcome !== undefined && 'value' in outcome) resolve(outcome.value);
      else reject(toFailure(outcome?.error, onTrouble));
    });
  };
  return (input: unknown): Promise<unknown> => {
    if (waiting.length >= mostWaiting)
      return Promise.reject(unavailable(new Error('too many calls wait for the database')));
    return new Promise((resolve, reject) => {
      waiting.push({ input, resolve, reject });
      // All calls of one turn of the loop travel together.
      if (waiting.length === 1) setImmediate(() => inFlight < mostInFlight && waiting.length > 0 && void flush());
    });
  };
}

function toFailure(error: unknown, onTrouble: (error: Error) => void): Error {
  const plain = error instanceof Error ? error : new Error(String(error));
  if (!isStoreTrouble(plain)) return plain;
  onTrouble(plain);
  return unavailable(plain);
}

function unavailable(cause: Error): Failure {
  return new Failure('SERVICE_UNAVAILABLE', { retryAfterSeconds: 1 }, cause);
}

/** The database's time, carried on by our monotonic clock: nodes whose own clocks differ agree. */
function followClock(pool: PostgresPool): { clock: Clock; stop(): void } {
  let offset = performance.timeOrigin;
  const measure = async () => {
    const before = performance.now();
    const { rows } = await pool.query('select (extract(epoch from clock_timestamp()) * 1000)::float8 as now');
    const after = performance.now();
    if (after - before < 250) offset = Number(rows[0]?.now) - (before + after) / 2;
  };
  let isStopped = false;
  void (async () => {
    while (!isStopped) {
      await measure().catch(() => undefined);
      await sleep(5000, undefined, { ref: false });
    }
  })();
  return {
    clock: { now: () => Math.floor(offset + performance.now()) },
    stop: () => {
      isStopped = true;
    },
  };
}

async function statusOf(url: string): Promise<{ name: string; isApplied: boolean }[]> {
  return withClient(url, (client) => readStatus(client));
}

async function migrateWhenReachable(url: string, onWait?: (error: Error) => void): Promise<string[]> {
  for (;;) {
    try {
      return await migrate(url);
    } catch (error) {
      const isLocked = ['55P03', '40P01'].includes((error as { code?: string }).code ?? '');
      if (!isLocked && (onWait === undefined || !isStoreTrouble(error))) throw error;
      onWait?.(error as Error);
      await sleep(1000);
    }
  }
}

/** Behind a row lock, in one transaction: of two nodes that start together one migrates and one waits; killed half way, nothing has happened. */
async function migrate(url: string): Promise<string[]> {
  return withClient(url, async (client) => {
    await client.query('begin');
    await client.query("select name from schema_migrations where name = 'lock' for update");
    const missing = new Set(
      (await readStatus(client)).filter((migration) => !migration.isApplied).map(({ name }) => name),
    );
    const begun = performance.now();
    const change = async (text: string) => {
      await client.query(`set local lock_timeout = ${patienceSince(begun)}`);
      await client.query(text);
    };
    if (missing.size > 0 && missing.size < migrations.length) await change(standBeforeWriters);
    for (const migration of migrations.filter(({ name }) => missing.has(name))) {
      for (const text of migration.statements(columnTypes.postgres)) await change(text);
      await client.query('insert into schema_migrations (name, applied_at) values ($1, $2)', [
        migration.name,
        Date.now(),
      ]);
    }
    await client.query('commit');
    return [...missing];
  });
}

/**
 * Changes nothing, but takes the table with which every write begins: those under way end, the next wait with nothing in their
 * hands, so that no two wait for each other.
 */
const standBeforeWriters = 'alter table receipts alter column id set not null';

/**
 * Whoever waits for a table makes all wait who come later, and keeps the tables it has. So all waits of one try together are
 * shorter than anybody else's patience, and end before the database looks for a deadlock and lets the others pay for it.
 */
function patienceSince(begun: number): number {
  return Math.max(50, Math.round(patienceMilliseconds - (performance.now() - begun)));
}

async function readStatus(client: pg.Client): Promise<{ name: string; isApplied: boolean }[]> {
  const { rows } = await client.query<{ name: string }>('select name from schema_migrations');
  const applied = new Set(rows.map((row) => row.name));
  return migrations.map(({ name }) => ({ name, isApplied: applied.has(name) }));
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = await connectToPostgres(url, { connectionTimeoutMillis: 5000, lock_timeout: 120_000 });
  try {
    const { text, int } = columnTypes.postgres;
    // Two nodes may both try to make it; the loser finds it made.
    await client
      .query(`create table if not exists schema_migrations (name ${text} primary key, applied_at ${int} not null)`)
      .catch(() => undefined);
    await client.query(
      "insert into schema_migrations (name, applied_at) values ('lock', 0) on conflict (name) do nothing",
    );
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}
