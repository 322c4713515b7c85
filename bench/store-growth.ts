// What growth costs: refreshes and log-ins on a store with hardly anybody in it and on one with a million sessions, side by side.
import { randomInt } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { createPorts, type Ports } from '../src/adapters/sql/ports.ts';
import { openPostgresStore } from '../src/adapters/sql/postgres.ts';
import { openSqliteStore } from '../src/adapters/sql/sqlite.ts';
import type { Store } from '../src/adapters/sql/store.ts';
import { challengeSlot, failuresId, type OtpPolicy } from '../src/auth/challenge.ts';
import { newId, randomText } from '../src/kernel/random.ts';
import { startPostgresServer } from '../test/support/postgres-server.ts';

/** Even the empty store holds those whose calls are measured. */
const population = { empty: 2_000, full: 100_000 } as const;
const sessionsPerUser = 10;
const rounds = 120;
const callsPerRound = 64;
const callersAtOnce = 16;
const goal = 1.2;
/** Ids of sessions as they would have been made from here on. */
const sessionsBegin = Date.now() - 20 * 86_400_000;

const otp: OtpPolicy = {
  lifeSeconds: 300,
  capSeconds: 600,
  attempts: 5,
  failuresPerRecipient: [{ count: 15, windowSeconds: 86_400 }],
};
const session = { idleSeconds: 30 * 86_400, lifeSeconds: 180 * 86_400, graceSeconds: 30, perUser: 20 };

type Size = keyof typeof population;
type Opened = { readonly store: Store; readonly size: Size; end(): Promise<void> };
type Side = { readonly ports: Ports; readonly users: number; readonly counters: Map<number, number> };
type Work = (side: Side) => Promise<void>;

const works: Record<string, Work> = { refresh, 'log-in': logIn, 'first log-in': firstLogIn };

const postgres = await startPostgresServer();
try {
  console.log('| store | call | empty, µs | full, µs | full / empty | goal |');
  console.log('|---|---|---|---|---|---|');
  for (const open of [openSqlite, openPostgres]) await compare(await open('empty'), await open('full'));
} finally {
  await postgres.end();
}
console.log(
  `\nempty: ${describe('empty')}; full: ${describe('full')}. Medians of ${rounds} alternating rounds of ${callsPerRound} calls, ${callersAtOnce} at once: time a call.`,
);

function describe(size: Size): string {
  return `${population[size].toLocaleString('en')} users, ${(population[size] * sessionsPerUser).toLocaleString('en')} sessions`;
}

async function compare(empty: Opened, full: Opened): Promise<void> {
  const sides = [empty, full].map(({ store, size }): Side => {
    return { ports: createPorts(store), users: population[size], counters: new Map() };
  });
  for (const [name, work] of Object.entries(works)) {
    const times: number[][] = [[], []];
    for (let round = -3; round < rounds; round++) {
      // Each goes first every other time; the first rounds only warm up.
      for (const index of round % 2 === 0 ? [0, 1] : [1, 0]) {
        const side = sides[index];
        if (side === undefined) continue;
        const time = await measure(work, side);
        if (round >= 0) times[index]?.push(time);
      }
    }
    const [small = [], large = []] = times;
    // Round by round, so that what else the machine does weighs on both alike.
    const ratio = median(large.map((time, round) => time / (small[round] ?? time)));
    const cells = [empty.store.kind, name, median(small).toFixed(0), median(large).toFixed(0), ratio.toFixed(2)];
    console.log(`| ${cells.join(' | ')} | ${ratio <= goal ? '✔' : '✖'} ≤ ${goal} |`);
  }
  await empty.end();
  await full.end();
}

/** Microseconds a call. */
async function measure(work: Work, side: Side): Promise<number> {
  let left = callsPerRound;
  const begun = performance.now();
  const caller = async () => {
    while (left-- > 0) await work(side);
  };
  await Promise.all(Array.from({ length: callersAtOnce }, caller));
  return ((performance.now() - begun) * 1000) / callsPerRound;
}

async function refresh({ ports, users, counters }: Side): Promise<void> {
  const index = randomInt(users * sessionsPerUser);
  const counter = counters.get(index) ?? 0;
  counters.set(index, counter + 1);
  const rotation = { sessionId: sessionId(index), seedHash: 'seed', counter, policy: session, now: Date.now() };
  const { kind } = await ports.sessions.rotate(rotation);
  if (kind !== 'renewed') throw new Error(`refresh: ${kind}`);
}

function logIn(side: Side): Promise<void> {
  return logInAs(side, phoneOf(randomInt(side.users)));
}

function firstLogIn(side: Side): Promise<void> {
  return logInAs(side, `+2${randomInt(10 ** 12)}`);
}

/** All three commits of a log-in: the code is asked for, guessed at and consumed. */
async function logInAs({ ports }: Side, phone: string): Promise<void> {
  const now = Date.now();
  const slot = challengeSlot('phone-login', phone);
  const seed = { id: newId(), nonce: randomText(16), secretId: 'abcd' };
  const payload = { to: phone, language: 'en' as const };
  const message = {
    id: newId(),
    channel: 'sms' as const,
    kind: 'phone-login',
    payload,
    createdAt: now,
    expiresAt: now,
  };
  await ports.sendRequests.request({
    wish: undefined,
    brake: undefined,
    captcha: undefined,
    challenge: { slot, seed, policy: otp },
    message,
    audit: { kind: 'otp.requested', detail: {} },
    now,
  });
  await ports.outbox.finish(message.id);
  const failures = failuresId(phone);
  const counted = await ports.challenges.countAttempt({ slot, failuresId: failures, seed, policy: otp, now });
  if (counted.kind !== 'counted') throw new Error('log-in: no attempt left');
  const { kind } = await ports.signIns.signInWithPhone({
    proof: { slot, challengeId: counted.challenge.id, failuresId: failures, countedAt: now },
    phone,
    country: 'DE',
    countsUse: false,
    isSignupOpen: true,
    newUserId: newId(),
    session: {
      id: newId(),
      seedHash: 'seed',
      userAgent: 'Bench/1',
      ip: '192.0.2.1',
      method: 'sms',
      policy: session,
      now,
    },
  });
  // Two callers may draw the same person at the same moment; one of them then loses.
  if (kind !== 'signed in' && kind !== 'lost') throw new Error(`log-in: ${kind}`);
}

function sessionId(index: number): string {
  const time = (sessionsBegin + index).toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`;
}

function phoneOf(index: number): string {
  return `+1${String(index).padStart(9, '0')}`;
}

type Words = { readonly series: (count: number) => string; hex(text: string): string; pad(text: string): string };

/** Sessions of one user lie apart, as sign-ins of one person do. */
function fillStatements(size: Size, { series, hex, pad }: Words): string[] {
  const users = population[size];
  const now = Date.now();
  const time = hex(`${sessionsBegin} + i`);
  const id = `substr(${time}, 1, 8) || '-' || substr(${time}, 9) || '-7000-8000-000000000000'`;
  const ends = `${now + session.idleSeconds * 1000}, ${now + session.lifeSeconds * 1000}`;
  return [
    `${series(users)} insert into users (id, phone, created_at) select 'user-' || i, '+1' || ${pad('i')}, ${now} from n`,
    `${series(users * sessionsPerUser)} insert into sessions (id, user_id, seed_hash, counter, rotated_at, created_at,
      last_used_at, expires_at, ends_at, user_agent, method)
      select ${id}, 'user-' || (i % ${users}), 'seed', 0, ${now}, ${now}, ${now}, ${ends}, 'Bench/1', 'sms' from n`,
  ];
}

async function openSqlite(size: Size): Promise<Opened> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-bench-'));
  const path = join(folder, 'gatehouse.db');
  const store = await openSqliteStore(path, (error) => console.error(error));
  await store.migrations.up();
  const db = new DatabaseSync(path);
  db.exec('pragma synchronous = off; begin');
  const series = (count: number) =>
    `with recursive n(i) as (select 0 union all select i + 1 from n where i + 1 < ${count})`;
  const hex = (text: string) => `printf('%012x', ${text})`;
  for (const text of fillStatements(size, { series, hex, pad: (text) => `printf('%09d', ${text})` })) db.exec(text);
  db.exec('commit; pragma wal_checkpoint(truncate)');
  db.close();
  const end = async () => {
    await store.close();
    rmSync(folder, { recursive: true });
  };
  return { store, size, end };
}

async function openPostgres(size: Size): Promise<Opened> {
  const url = new URL(postgres.url);
  await withClient(url.href, [`create database bench_${size} template template0 encoding 'UTF8' locale 'C'`]);
  url.pathname = `/bench_${size}`;
  const store = await openPostgresStore(url.href, (error) => console.error(error));
  await store.migrations.up();
  const series = (count: number) => `with n as (select generate_series(0::bigint, ${count - 1}) as i)`;
  const hex = (text: string) => `lpad(to_hex(${text}), 12, '0')`;
  const fill = fillStatements(size, { series, hex, pad: (text) => `lpad(${text}::text, 9, '0')` });
  await withClient(url.href, [...fill, 'vacuum analyze', 'checkpoint']);
  return { store, size, end: () => store.close() };
}

async function withClient(url: string, texts: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  for (const text of texts) await client.query(text);
  await client.end();
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
