// The store on PostgreSQL: waiting calls of the same operation share one transaction, with a few transactions in flight.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../../kernel/clock.ts';
import { Failure } from '../../kernel/failure.ts';
import { operationNamed, runTogether } from '../batch.ts';
import { createStoreMeter, meterBatch, type StoreMeter } from '../engine/store-meter.ts';
import type { OperationName } from '../operations/all.ts';
import type { Store } from '../store.ts';
import { isStoreTrouble } from './postgres-errors.ts';
import { migratePostgres, readMigrations } from './postgres-migrator.ts';
import { openPostgresPool, type PostgresPool } from './postgres-pool.ts';

type Waiting = { input: unknown; resolve(value: unknown): void; reject(error: Error): void };

const mostPerBatch = 256;
const mostInFlight = 2;
const mostWaiting = 20_000;

export async function openPostgresStore(
  url: string,
  onTrouble: (error: Error) => void,
  endpoints: readonly string[] = [],
  connections?: number,
  checksLocks = false,
): Promise<Store> {
  const pool = openPostgresPool(url, endpoints, connections, checksLocks);
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
    capacity: () => readCapacity(pool),
    ping: async () =>
      void (await pool
        .query('select 1 from schema_migrations limit 1')
        .catch((error) => Promise.reject(toFailure(error, onTrouble)))),
    migrations: { status: () => readMigrations(url), up: (watch) => migratePostgres(url, watch) },
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
    const startedAt = performance.now();
    const outcomes = await runTogether(
      name,
      batch.map(({ input }) => input),
      attempt,
      isStoreTrouble,
    );
    inFlight -= 1;
    meterBatch(meter, (performance.now() - startedAt) / 1000, batch.length);
    if (waiting.length > 0) void flush();
    batch.forEach(({ resolve, reject }, index) => {
      const outcome = outcomes[index];
      if (outcome !== undefined && 'value' in outcome) resolve(outcome.value);
      else reject(toFailure(outcome?.error, onTrouble));
    });
  };
  return (input: unknown): Promise<unknown> => {
    if (waiting.length >= mostWaiting)
      return Promise.reject(unavailable(new Error('too many calls are waiting for the database')));
    return new Promise((resolve, reject) => {
      waiting.push({ input, resolve, reject });
      // All calls in one turn of the event loop share a batch.
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

/** The time of the database, continued by the local monotonic clock, so that nodes with skewed clocks agree. */
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

async function readCapacity(pool: PostgresPool): Promise<{ most: number; open: number }> {
  const { rows } = await pool.query(
    `select current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as server,
       (select rolconnlimit from pg_roles where rolname = current_user) as role,
       (select datconnlimit from pg_database where datname = current_database()) as database,
       (select count(*) from pg_stat_activity where backend_type = 'client backend')::int as open`,
  );
  const { server, role, database, open } = rows[0] as Record<'server' | 'role' | 'database' | 'open', number>;
  return { most: Math.min(...[server, role, database].filter((limit) => limit >= 0)), open };
}
