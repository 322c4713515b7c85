// The time of the database, continued by the local monotonic clock, so that nodes with skewed clocks agree.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../../kernel/clock.ts';
import type { PostgresPool } from './postgres-pool.ts';

const pauseMilliseconds = 5000;

/** What the database said, and what the local clock showed before it was asked and after its answer. */
type Reading = { readonly database: number; readonly before: number; readonly after: number };

export function followClock(pool: Pick<PostgresPool, 'query'>): { clock: Clock; stop(): void } {
  let offset = performance.timeOrigin;
  const measure = async () => {
    const before = performance.now();
    const { rows } = await pool.query('select (extract(epoch from clock_timestamp()) * 1000)::float8 as now');
    offset = correctOffset(offset, { database: Number(rows[0]?.now), before, after: performance.now() });
  };
  let isStopped = false;
  void (async () => {
    while (!isStopped) {
      await measure().catch(() => undefined);
      await sleep(pauseMilliseconds, undefined, { ref: false });
    }
  })();
  return {
    clock: { now: () => Math.floor(offset + performance.now()) },
    stop: () => {
      isStopped = true;
    },
  };
}

/**
 * The database read its clock at some time between both readings of ours. An offset that agrees with this stays, and any other moves as
 * little as it must. So a slow answer, of a busy node, disturbs no clock that is right.
 */
export function correctOffset(offset: number, { database, before, after }: Reading): number {
  return Math.min(Math.max(offset, database - after), database - before);
}
