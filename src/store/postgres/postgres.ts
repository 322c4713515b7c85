// The store on PostgreSQL: waiting calls of the same operation share one transaction, with a few transactions in flight.
import { operationNamed, runTogether } from '../batch.ts';
import { type CallDesk, type CallQueue, createCallDesk, createCallQueue, unavailable } from '../engine/call-queue.ts';
import type { CallWaits } from '../engine/call-waits.ts';
import { createStoreMeter, meterBatch, type StoreMeter } from '../engine/store-meter.ts';
import type { OperationName } from '../operations/all.ts';
import type { Store } from '../store.ts';
import type { ClusterPlace } from './cluster.ts';
import { followClock } from './database-clock.ts';
import { isStoreProblem } from './postgres-errors.ts';
import { migratePostgres, readMigrations } from './postgres-migrator.ts';
import { openPostgresPool, type PostgresPool } from './postgres-pool.ts';

const mostPerBatch = 256;
const mostInFlight = 2;

export async function openPostgresStore(
  place: string | ClusterPlace,
  onTrouble: (error: Error) => void,
  endpoints: readonly string[] = [],
  connections?: number,
  checksLocks = false,
  waits?: CallWaits,
): Promise<Store> {
  const given = typeof place === 'string' ? { url: place } : place;
  const pool = openPostgresPool({ ...given, report: onTrouble }, endpoints, connections, checksLocks);
  const meter = createStoreMeter();
  const desk = createCallDesk(onTrouble, waits);
  const queues = new Map<OperationName, CallQueue<unknown>>();
  const { clock, stop } = followClock(pool);
  const send = (name: OperationName, input: unknown): Promise<unknown> => {
    const known = queues.get(name) ?? createQueue(name, pool, desk, meter);
    queues.set(name, known);
    return known.send(input);
  };
  return {
    kind: 'postgres',
    clock,
    call: send as Store['call'],
    meter,
    connections: pool.connections,
    capacity: () => readCapacity(pool),
    cluster: pool.cluster,
    ping: async () =>
      void (await pool
        .query('select 1 from schema_migrations limit 1')
        .catch((error) => Promise.reject(toFailure(error, onTrouble)))),
    migrations: { status: () => readMigrations(pool.cluster), up: (watch) => migratePostgres(pool.cluster, watch) },
    close: async () => {
      stop();
      await pool.end();
    },
  };
}

function createQueue(name: OperationName, pool: PostgresPool, desk: CallDesk, meter: StoreMeter): CallQueue<unknown> {
  const attempt = operationNamed(name).reads === true ? pool.read : pool.write;
  return createCallQueue(desk, {
    batchesAtOnce: mostInFlight,
    perBatch: mostPerBatch,
    run: async (inputs, time, end) => {
      const startedAt = performance.now();
      const outcomes = await runTogether(name, inputs, (work) => attempt(work, time), isStoreProblem);
      meterBatch(meter, (performance.now() - startedAt) / 1000, inputs.length);
      end(
        outcomes.map((outcome) => ('value' in outcome ? outcome : { error: toFailure(outcome.error, desk.onTrouble) })),
      );
    },
  });
}

function toFailure(error: unknown, onTrouble: (error: Error) => void): Error {
  const plain = error instanceof Error ? error : new Error(String(error));
  if (!isStoreProblem(plain)) return plain;
  onTrouble(plain);
  return unavailable(plain.message, plain);
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
