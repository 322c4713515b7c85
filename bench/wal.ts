// The amount of write-ahead log that PostgreSQL writes for a refresh with a million sessions, right after a checkpoint.
import { randomInt } from 'node:crypto';
import pg from 'pg';
import { createPorts, type Ports } from '../src/store/ports.ts';
import { startPostgresServer } from '../test/helpers/databases/postgres-server.ts';
import { asSessionId } from '../test/helpers/people/ids.ts';
import { createDatabase, fillPostgres, sessionIdAt } from './load/fill.ts';

const users = 100_000;
const sessionsPerUser = 10;
const refreshes = 20_000;
const policy = { idleSeconds: 30 * 86_400, lifeSeconds: 180 * 86_400, graceSeconds: 30, perUser: 20 };

const counters = new Map<number, number>();

const settings = ['max_wal_size=8GB', 'checkpoint_timeout=1h'];
const server = await startPostgresServer({ settings });
try {
  const url = await createDatabase(server.url, 'bench_wal');
  const store = await fillPostgres(url, { users, sessionsPerUser });
  const ports = createPorts(store);
  const client = new pg.Client(url);
  await client.connect();
  await client.query('vacuum analyze');
  console.log('| full-page images | at once | bytes of log a refresh | pages written whole, a refresh |');
  console.log('|---|---|---|---|');
  for (const compression of ['off', 'pglz']) {
    await client.query(`alter system set wal_compression = ${compression}`);
    await client.query('select pg_reload_conf()');
    for (const atOnce of [8, 40]) {
      await client.query('checkpoint');
      const before = await logOf(client);
      await refreshAll(ports, atOnce);
      const after = await logOf(client);
      const bytes = Math.round((after.bytes - before.bytes) / refreshes);
      const images = ((after.images - before.images) / refreshes).toFixed(2);
      console.log(
        `| ${compression === 'off' ? 'plain (the default)' : compression} | ${atOnce} | ${bytes} | ${images} |`,
      );
    }
  }
  await client.end();
  await store.close();
} finally {
  await server.end();
}

async function logOf(client: pg.Client): Promise<{ bytes: number; images: number }> {
  const { rows } = await client.query(
    "select pg_current_wal_insert_lsn() - '0/0' as bytes, wal_fpi as images from pg_stat_wal",
  );
  return { bytes: Number(rows[0].bytes), images: Number(rows[0].images) };
}

/** Refreshes of random sessions, each with its current counter. */
async function refreshAll(ports: Ports, atOnce: number): Promise<void> {
  let left = refreshes;
  const caller = async () => {
    while (left-- > 0) {
      const index = randomInt(users * sessionsPerUser);
      const counter = counters.get(index) ?? 0;
      counters.set(index, counter + 1);
      const { kind } = await ports.sessions.rotate({
        sessionId: asSessionId(sessionIdAt(index)),
        seedHash: 'seed',
        counter,
        policy,
        now: Date.now(),
      });
      if (kind !== 'renewed') throw new Error(`refresh: ${kind}`);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, caller));
}
