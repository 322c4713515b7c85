// The cost of growth: refreshes and sign-ins on an almost empty store and on one with a million sessions, side by side.
import { randomInt } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { budgetOf } from '../src/auth/attempt-budget.ts';
import { challengeSlot, type OtpPolicy } from '../src/auth/challenge.ts';
import { newId, randomText } from '../src/kernel/random.ts';
import { createPorts, type Ports } from '../src/store/ports.ts';
import type { Store } from '../src/store/store.ts';
import { startPostgresServer } from '../test/helpers/postgres-server.ts';
import { createDatabase, fillPostgres, fillSqlite, phoneAt, sessionIdAt } from './load/fill.ts';
import { median } from './statistics.ts';

/** Even the empty store has the users whose calls are measured. */
const population = { empty: 2_000, full: 100_000 } as const;
const sessionsPerUser = 10;
const rounds = 120;
const callsPerRound = 64;
const callersAtOnce = 16;
const goal = 1.2;

const otp: OtpPolicy = {
  lifeSeconds: 300,
  capSeconds: 600,
  attempts: 5,
  failuresPerRecipient: [{ count: 15, windowSeconds: 86_400 }],
  failuresPerCaller: [],
};
const session = { idleSeconds: 30 * 86_400, lifeSeconds: 180 * 86_400, graceSeconds: 30, perUser: 20 };

type Size = keyof typeof population;
type Opened = { readonly store: Store; readonly size: Size; end(): Promise<void> };
type Side = { readonly ports: Ports; readonly users: number; readonly counters: Map<number, number> };
type Work = (side: Side) => Promise<void>;

const works: Record<string, Work> = { refresh, 'sign-in': signIn, 'first sign-in': firstSignIn };

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
      // Each is first every other time. The first rounds only warm up.
      for (const index of round % 2 === 0 ? [0, 1] : [1, 0]) {
        const side = sides[index];
        if (side === undefined) continue;
        const time = await measure(work, side);
        if (round >= 0) times[index]?.push(time);
      }
    }
    const [small = [], large = []] = times;
    // Round by round, so that other load on the machine affects both equally.
    const ratio = median(large.map((time, round) => time / (small[round] ?? time)));
    const cells = [empty.store.kind, name, median(small).toFixed(0), median(large).toFixed(0), ratio.toFixed(2)];
    console.log(`| ${cells.join(' | ')} | ${ratio <= goal ? '✔' : '✖'} ≤ ${goal} |`);
  }
  await empty.end();
  await full.end();
}

/** Microseconds per call. */
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
  const rotation = { sessionId: sessionIdAt(index), seedHash: 'seed', counter, policy: session, now: Date.now() };
  const { kind } = await ports.sessions.rotate(rotation);
  if (kind !== 'renewed') throw new Error(`refresh: ${kind}`);
}

function signIn(side: Side): Promise<void> {
  return signInAs(side, phoneAt(randomInt(side.users)));
}

function firstSignIn(side: Side): Promise<void> {
  return signInAs(side, `+2${randomInt(10 ** 12)}`);
}

/** All commits of a sign-in: the code is requested, its message finished, and the code consumed. */
async function signInAs({ ports }: Side, phone: string): Promise<void> {
  const now = Date.now();
  const slot = challengeSlot('phone-login', phone);
  const seed = { id: newId(), nonce: randomText(16), secretId: 'abcd' };
  const payload = { to: phone, language: 'en' as const };
  const message = {
    id: newId(),
    channel: 'sms' as const,
    kind: 'phone-login' as const,
    payload,
    createdAt: now,
    expiresAt: now,
  };
  await ports.sendRequests.request({
    check: undefined,
    brake: undefined,
    captcha: undefined,
    challenge: { purpose: 'phone-login', slot, seed, policy: otp },
    message,
    audit: { kind: 'otp.requested', detail: {} },
    now,
  });
  await ports.outbox.finish(message.id);
  const { kind } = await ports.signIns.signInWithPhone({
    attempt: {
      slot,
      budget: budgetOf(phone),
      caller: '192.0.2.1',
      seed,
      subject: { purpose: 'phone-login', recipient: phone },
      given: '271828',
      fixed: '271828',
      keys: [],
      markKey: '',
      policy: otp,
      now,
    },
    phone,
    country: 'DE',
    countsUse: false,
    recycledSeconds: 180 * 86_400,
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
  // Two callers may choose the same user at the same moment. One of them then loses.
  if (kind !== 'signed in' && kind !== 'lost') throw new Error(`sign-in: ${kind}`);
}

async function openSqlite(size: Size): Promise<Opened> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-bench-'));
  const store = await fillSqlite(join(folder, 'gatehouse.db'), { users: population[size], sessionsPerUser });
  const end = async () => {
    await store.close();
    rmSync(folder, { recursive: true });
  };
  return { store, size, end };
}

async function openPostgres(size: Size): Promise<Opened> {
  const url = await createDatabase(postgres.url, `bench_${size}`);
  const store = await fillPostgres(url, { users: population[size], sessionsPerUser });
  return { store, size, end: () => store.close() };
}
