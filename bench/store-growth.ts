// The cost of growth: refreshes and sign-ins on an almost empty store and on one with a million sessions, side by side.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPorts } from '../src/store/ports.ts';
import type { Store } from '../src/store/store.ts';
import { startPostgresServer } from '../test/helpers/databases/postgres-server.ts';
import { createDatabase, fillPostgres, fillSqlite } from './load/fill.ts';
import { firstSignIn, refresh, type Side, signIn, type Work } from './load/store-calls.ts';
import { median } from './statistics.ts';

/** Even the empty store has the users whose calls are measured. */
const population = { empty: 2_000, full: 100_000 } as const;
const sessionsPerUser = 10;
const rounds = 120;
const callsPerRound = 64;
const callersAtOnce = 16;
const goal = 1.2;

type Size = keyof typeof population;
type Opened = { readonly store: Store; readonly size: Size; end(): Promise<void> };

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
    return {
      ports: createPorts(store),
      users: population[size],
      sessions: population[size] * sessionsPerUser,
      counters: new Map(),
    };
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
