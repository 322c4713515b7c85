// `npm run bench:store -- --long 10000000`: refreshes and sign-ins on PostgreSQL with so many users beside ten thousand, and a day of sweeps.
// Loads 1.5 sessions and 4 audit events for each user: 10 million users need some 30 GB of disk, and half an hour to load.
import { totalmem } from 'node:os';
import pg from 'pg';
import { turnUntil } from '../src/kernel/work/pace.ts';
import { createPorts } from '../src/store/ports.ts';
import type { Store } from '../src/store/store.ts';
import { sweepOnce } from '../src/store/sweeper.ts';
import { startPostgresServer } from '../test/helpers/databases/postgres-server.ts';
import { createDatabase, fillPostgres, indexAfterwards } from './load/fill.ts';
import { processorMicroseconds } from './load/processor.ts';
import { refresh, type Side, signIn, type Work } from './load/store-calls.ts';

const populations = { small: 10_000, large: Number(process.argv[process.argv.indexOf('--long') + 1] ?? 10_000_000) };
const sessionsPerUser = 1.5;
const eventsPerUser = 4;
const [rounds, callsPerRound, callersAtOnce] = [60, 64, 16];
const goal = 1.2;
const day = 86_400_000;

type Opened = Side & { readonly store: Store; readonly url: string };
type Measured = { readonly cpu: number[]; readonly waits: number[] };

/** A third of the memory, as for a machine that is the database's own. */
const bufferMegabytes = Math.round(totalmem() / 2 ** 20 / 3);

const server = await startPostgresServer({ settings: ['max_wal_size=8GB', `shared_buffers=${bufferMegabytes}MB`] });
try {
  const [small, large] = [await open('small'), await open('large')];
  console.log('| call | CPU µs, small | large | large / small | p99 ms, small | large | goal |');
  console.log('|---|---|---|---|---|---|---|');
  for (const [name, work] of Object.entries({ refresh, 'sign-in': signIn })) await compare(name, work, small, large);
  await sweepDay(large);
  await Promise.all([small.store.close(), large.store.close()]);
} finally {
  await server.end();
}

async function open(size: keyof typeof populations): Promise<Opened> {
  const begun = performance.now();
  const url = await createDatabase(server.url, size);
  const users = populations[size];
  const store = await fillPostgres(url, { users, sessionsPerUser });
  await indexAfterwards(url, ['audit_events'], [insertEvents(users)]);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('vacuum analyze audit_events');
  // A database that has run for a day has read its users and sessions from the disk.
  await client.query('create extension pg_prewarm');
  await client.query(`select pg_prewarm(oid) from pg_class where oid in ('users'::regclass, 'sessions'::regclass)
    or oid in (select indexrelid from pg_index where indrelid in ('users'::regclass, 'sessions'::regclass))`);
  await client.end();
  process.stderr.write(`${size}: ${users} users loaded in ${Math.round((performance.now() - begun) / 1000)} s\n`);
  return { store, url, ports: createPorts(store), users, sessions: users * sessionsPerUser, counters: new Map() };
}

function insertEvents(users: number): string {
  const [last, begin, length] = [users * eventsPerUser - 1, Date.now() - 91 * day, 91 * day];
  return `insert into audit_events (id, kind, user_id, recipient, detail, created_at)
    select substr(time, 1, 8) || '-' || substr(time, 9) || '-7000-8000-' || lpad(to_hex(i), 12, '0'), 'login.succeeded', 'user-' || i % ${users},
      '+49151*****' || i % 100000, '{"session":"0199a0c2-0000-7000-8000-000000000000","method":"sms","ip":"192.0.2.1"}', ${begin}
    from generate_series(0::bigint, ${last}) as i,
      lateral (select lpad(to_hex(${begin} + (${length} * (i::float8 / ${last}))::bigint), 12, '0') as time) as at`;
}

async function compare(name: string, work: Work, ...sides: readonly Opened[]): Promise<void> {
  const found: Measured[] = sides.map(() => ({ cpu: [], waits: [] }));
  for (let round = -5; round < rounds; round++)
    // Each is first every other time. The first rounds only warm up.
    for (const index of round % 2 === 0 ? [0, 1] : [1, 0]) {
      await checkpoint();
      const [side, measured] = [sides[index], found[index]];
      if (side !== undefined && measured !== undefined) await measure(work, side, round < 0 ? undefined : measured);
    }
  const [small, large] = found.map(({ cpu, waits }) => ({
    cpu: mean(cpu),
    p99: waits.toSorted((x, y) => x - y)[Math.floor(waits.length * 0.99)] ?? 0,
  }));
  if (small === undefined || large === undefined) return;
  const ratio = large.cpu / small.cpu;
  const isGood = ratio <= goal && large.p99 <= goal * small.p99;
  const cells = [
    small.cpu.toFixed(0),
    large.cpu.toFixed(0),
    ratio.toFixed(2),
    small.p99.toFixed(1),
    large.p99.toFixed(1),
  ];
  console.log(`| ${name} | ${cells.join(' | ')} | ${isGood ? '✔' : '✖'} ≤ ${goal} |`);
}

/**
 * Before each round. A user makes as many calls between two checkpoints in a small house as in a large one, so the share of calls
 * that write a page for the first time since, whole, is the same. Without this, the small house would write each page whole once only.
 */
async function checkpoint(): Promise<void> {
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  await client.query('checkpoint');
  await client.end();
}

/** Not the median: the system counts processor time in steps of ten milliseconds. */
function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Processor time of this process and of the database, which is its child, for each call. */
async function measure(work: Work, side: Side, into: Measured | undefined): Promise<void> {
  const before = processorMicroseconds([process.pid]);
  let left = callsPerRound;
  const caller = async () => {
    while (left-- > 0) {
      const begun = performance.now();
      await work(side);
      into?.waits.push(performance.now() - begun);
    }
  };
  await Promise.all(Array.from({ length: callersAtOnce }, caller));
  into?.cpu.push((processorMicroseconds([process.pid]) - before) / callsPerRound);
}

/** The audit events of one day are over ninety days old, and one session in 180 has reached its end. */
async function sweepDay({ store, url, sessions }: Opened): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const over = `select id from sessions order by id limit ${Math.round(sessions / 180)}`;
  await client.query(`update sessions set ends_at = $1 where id = any(array(${over}))`, [Date.now() - day]);
  await client.end();
  const swept = new Map<string, number>();
  const begun = performance.now();
  await sweepOnce(store, { accessTokenLifeSeconds: 900 }, turnUntil(new AbortController().signal), {
    onSwept: (target, count) => void swept.set(target, (swept.get(target) ?? 0) + count),
    onFailure: (target, error) => console.error(target, error),
  });
  const seconds = ((performance.now() - begun) / 1000).toFixed(1);
  const list = [...swept].map(([target, count]) => `${count} ${target}`).join(', ');
  console.log(`\nA day of sweeps: ${list} in ${seconds} s.`);
}
