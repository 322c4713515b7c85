// Whether the sweep holds a rate: `npm run bench:sweeps -- 20000 3600` adds and sweeps so many audit events a second for so many seconds.
// PostgreSQL with its own autovacuum, and the sweeper as the service runs it. Shows what is left over and how large the table is.
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { startLoop } from '../src/kernel/work/loop.ts';
import { turnUntil } from '../src/kernel/work/pace.ts';
import { openPostgresStore } from '../src/store/postgres/postgres.ts';
import { sweepOnce } from '../src/store/sweeper.ts';
import { startPostgresServer } from '../test/helpers/databases/postgres-server.ts';
import { createDatabase } from './load/fill.ts';

const rate = Number(process.argv[2] ?? 20_000);
const seconds = Number(process.argv[3] ?? 3600);
/** How long an event stays, in place of ninety days. */
const keptSeconds = Number(process.argv[4] ?? 60);
const sweepMilliseconds = 30_000;
const insertsPerSecond = 10;
const retention = 90 * 86_400_000;

const insertEvents = `insert into audit_events (id, kind, user_id, recipient, detail, created_at, order_no, position)
  select substr(lpad(to_hex($3::bigint), 12, '0'), 1, 8) || '-' || substr(lpad(to_hex($3::bigint), 12, '0'), 9) || '-7'
      || substr(lpad(to_hex(i), 12, '0'), 1, 3) || '-8' || substr(lpad(to_hex(i), 12, '0'), 4, 3) || '-' || lpad(to_hex(i), 12, '0'),
    'login.succeeded', 'user-' || (hashint8(i)::bigint & 16777215), '+49151*****' || i % 100000,
    '{"session":"0199a0c2-0000-7000-8000-000000000000","method":"sms","ip":"192.0.2.1"}', $3::bigint,
    case when i % 2 = 0 then i end, case when i % 2 = 0 then i end
  from generate_series($1::bigint, $2::bigint) as i`;

const postgres = await startPostgresServer({ settings: ['max_wal_size=4GB'] });
try {
  const url = await createDatabase(postgres.url, 'sweeps');
  const store = await openPostgresStore(url, (error) => console.error(error));
  await store.migrations.up();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('set synchronous_commit = off');
  let removed = 0;
  const loop = startLoop(
    sweepMilliseconds,
    (stop) =>
      sweepOnce(store, { accessTokenLifeSeconds: 900 }, turnUntil(stop), {
        onSwept: (target, count) => {
          if (target === 'auditEvents') removed += count;
        },
        onFailure: (target, error) => console.error(target, error),
      }),
    (error) => console.error(error),
  );
  console.log(
    '| s | added a second | swept a second | over and left | table MiB | indexes MiB | dead rows | vacuums |',
  );
  console.log('|---|---|---|---|---|---|---|---|');
  const begun = performance.now();
  const elapsed = () => (performance.now() - begun) / 1000;
  let [added, nextAt, lastAdded, lastRemoved, lastAt] = [0, 30, 0, 0, 0];
  while (elapsed() < seconds) {
    const missing = Math.floor(Math.min(elapsed() * rate - added, (3 * rate) / insertsPerSecond));
    if (missing > 0)
      await client.query(insertEvents, [added, added + missing - 1, Date.now() - retention + keptSeconds * 1000]);
    added += Math.max(0, missing);
    if (elapsed() >= nextAt) {
      const span = elapsed() - lastAt;
      const rates = [(added - lastAdded) / span, (removed - lastRemoved) / span].map((each) => Math.round(each));
      console.log(`| ${[Math.round(elapsed()), ...rates, ...(await measure(client))].join(' | ')} |`);
      [nextAt, lastAdded, lastRemoved, lastAt] = [nextAt + 30, added, removed, elapsed()];
    }
    await sleep(Math.max(1, 1000 / insertsPerSecond - ((elapsed() * 1000) % (1000 / insertsPerSecond))));
  }
  await loop.stop();
  await client.end();
  await store.close();
} finally {
  await postgres.end();
}

async function measure(client: pg.Client): Promise<number[]> {
  const { rows } = await client.query<Record<string, string>>(
    `select (select count(*) from audit_events where id < $1) as late, pg_table_size('audit_events') / 1048576 as heap,
       pg_indexes_size('audit_events') / 1048576 as indexes, n_dead_tup as dead, autovacuum_count as vacuums
     from pg_stat_user_tables where relname = 'audit_events'`,
    [idAt(Date.now() - retention)],
  );
  return Object.values(rows[0] ?? {}).map(Number);
}

function idAt(time: number): string {
  const hex = time.toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}`;
}
