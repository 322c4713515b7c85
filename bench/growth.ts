// `npm run bench:growth`: the same workloads with more users, connections and processes; draws each as a picture in docs/pictures.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgresServer } from '../test/helpers/databases/postgres-server.ts';
import { drive, type Figures } from './load/drive.ts';
import { createDatabase, fillPostgres, fillSqlite } from './load/fill.ts';
import { type GatehousePeer, startGatehouse } from './load/gatehouse.ts';
import { drawPlot } from './plot.ts';

const seconds = Number(process.env.BENCH_SECONDS ?? 4);
const populations = (process.env.BENCH_USERS ?? '1000,100000,1000000').split(',').map(Number);
const crowds = [1, 8, 32, 128, 512, 1000];
const processes = [1, 2];
const usual = 32;
const stores = ['SQLite', 'PostgreSQL'] as const;
const pictures = new URL('../docs/pictures/', import.meta.url).pathname;

type StoreName = (typeof stores)[number];
type Workload = 'sendCode' | 'signInNew' | 'refresh' | 'sessionCheck';

const names: Record<Workload, string> = {
  sendCode: 'send code',
  signInNew: 'sign in',
  refresh: 'refresh',
  sessionCheck: 'session check',
};

let databases = 0;
const postgres = await startPostgresServer();
try {
  await growUsers();
  await growConnections();
  await growProcesses();
} finally {
  await postgres.end();
}

async function growUsers(): Promise<void> {
  const series = new Map<string, number[]>();
  for (const store of stores) {
    for (const users of populations) {
      await withService(store, users, {}, async (peer) => {
        for (const workload of ['sendCode', 'signInNew', 'refresh'] as const)
          note(series, `${names[workload]}, ${store}`, (await measure(peer, workload, usual)).perSecond);
      });
    }
  }
  report('users', `Requests by number of users and sessions (${usual} connections)`, populations.map(shorten), series);
}

async function growConnections(): Promise<void> {
  const rates = new Map<string, number[]>();
  const waits = new Map<string, number[]>();
  for (const store of stores) {
    await withService(store, 1000, {}, async (peer) => {
      for (const workload of ['refresh', 'sessionCheck'] as const) {
        for (const crowd of crowds) {
          const { perSecond, p99 } = await measure(peer, workload, crowd);
          note(rates, `${names[workload]}, ${store}`, perSecond);
          note(waits, `${names[workload]}, ${store}`, p99);
        }
      }
    });
  }
  report('connections', 'Requests by number of connections', crowds.map(String), rates);
  report('waiting', 'Time of the slowest hundredth by number of connections', crowds.map(String), waits, 'ms');
}

async function growProcesses(): Promise<void> {
  const series = new Map<string, number[]>();
  for (const store of stores) {
    for (const workers of processes) {
      await withService(store, 1000, { WORKERS: String(workers) }, async (peer) => {
        for (const workload of ['sendCode', 'refresh', 'sessionCheck'] as const)
          note(series, `${names[workload]}, ${store}`, (await measure(peer, workload, usual)).perSecond);
      });
    }
  }
  report('processes', `Requests by WORKERS (${usual} connections)`, processes.map(String), series);
}

async function withService(
  store: StoreName,
  users: number,
  env: Record<string, string>,
  work: (peer: GatehousePeer) => Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-bench-'));
  const population = { users, sessionsPerUser: 1 };
  const url = store === 'PostgreSQL' ? await createDatabase(postgres.url, `growth_${databases++}`) : undefined;
  const filled = await (url === undefined
    ? fillSqlite(join(folder, 'gatehouse.db'), population)
    : fillPostgres(url, population));
  await filled.close();
  const peer = await startGatehouse(store, {
    DATA_DIR: folder,
    ...(url !== undefined && { DATABASE_URL: url }),
    ...env,
  });
  try {
    await work(peer);
  } finally {
    await peer.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measure(peer: GatehousePeer, workload: Workload, connections: number): Promise<Figures> {
  const { hostname: host, port } = new URL(peer.url);
  const callers = await peer.workloads[workload]?.(connections);
  const figures = await drive({ host, port: Number(port), callers: callers ?? [], seconds, warmUpSeconds: 1 });
  process.stderr.write(`  ${peer.name}, ${workload}, ${connections}: ${Math.round(figures.perSecond)}/s\n`);
  return figures;
}

function note(series: Map<string, number[]>, name: string, value: number): void {
  series.set(name, [...(series.get(name) ?? []), value]);
}

/** Writes a picture for the docs and prints the same numbers as a table. */
function report(
  file: string,
  title: string,
  steps: readonly string[],
  series: ReadonlyMap<string, number[]>,
  unit = 'per second',
): void {
  const list = [...series].map(([name, values]) => ({ name, values }));
  writeFileSync(join(pictures, `growth-${file}.svg`), drawPlot({ title, unit, steps, series: list }));
  console.log(`\n${title}, ${unit}\n\n| | ${steps.join(' | ')} |\n|---${'|---'.repeat(steps.length)}|`);
  for (const { name, values } of list)
    console.log(`| ${name} | ${values.map((value) => value.toFixed(value < 100 ? 1 : 0)).join(' | ')} |`);
}

function shorten(count: number): string {
  return count >= 1_000_000 ? `${count / 1_000_000}M` : `${count / 1000}k`;
}
