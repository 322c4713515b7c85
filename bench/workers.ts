// `npm run bench:workers`: one and two processes, with the load generator on a core of its own and without. `--write` as in the bench.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { type PostgresServer, startPostgresServer } from '../test/helpers/databases/postgres-server.ts';
import { createDatabase } from './load/fill.ts';
import { startGatehouse } from './load/gatehouse.ts';
import { measure, type Sample, summarise } from './load/measure.ts';
import { familyOf } from './load/processor.ts';
import { toTable, writeTables } from './report.ts';

const seconds = Number(process.env.BENCH_SECONDS ?? 2);
const warmUpSeconds = Math.min(2, seconds);
const rounds = Number(process.env.BENCH_ROUNDS ?? 3);
const isWritten = process.argv.includes('--write');
const named = process.argv.slice(2).filter((word) => word !== '--write');
const workloads = named.length > 0 ? named : ['live', 'sessionCheck', 'refresh', 'signInNew', 'sendCode'];
const stores = ['SQLite', 'PostgreSQL'] as const;
const processes = [1, 2] as const;
const cores = cpus().length;
/** The generator has the first core, the service and the database have the others. */
const places = { free: `0-${cores - 1}`, generator: '0', service: cores > 2 ? `1-${cores - 1}` : '1' } as const;

type Store = (typeof stores)[number];
type Case = { readonly store: Store; readonly isPinned: boolean; readonly workers: (typeof processes)[number] };

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));
const postgres = await startPostgresServer();
const postgresPid = Number(readFileSync(join(postgres.data, 'postmaster.pid'), 'utf8').split('\n')[0]);
const found = new Map<string, Sample[]>();
let databases = 0;
try {
  const pinning = choosePinning();
  for (let round = 1; round <= rounds; round++) {
    for (const store of stores) {
      for (const isPinned of pinning) {
        for (const workers of processes) await measureCase({ store, isPinned, workers }, round);
      }
    }
  }
  report(pinning);
} finally {
  await postgres.end();
}

function choosePinning(): boolean[] {
  const canPin = cores > 1 && spawnSync('taskset', ['--version']).status === 0;
  if (!canPin) console.log('taskset or a second core is missing: measured without pinning only.');
  return canPin ? [false, true] : [false];
}

async function measureCase(one: Case, round: number): Promise<void> {
  const { store, isPinned, workers } = one;
  pin(isPinned ? places.generator : places.free, [process.pid]);
  pin(isPinned ? places.service : places.free, familyOf([postgresPid]));
  const env = {
    WORKERS: String(workers),
    ...(store === 'PostgreSQL' && { DATABASE_URL: await newDatabase(postgres) }),
  };
  const through = isPinned ? ['taskset', '-c', places.service] : [];
  const peer = await startGatehouse(store, env, { through });
  try {
    for (const workload of workloads) {
      const sample = await measure(peer, workload, { seconds, warmUpSeconds });
      if (sample === undefined) throw new Error(`there is no workload ${workload}`);
      const key = keyOf(one, workload);
      found.set(key, [...(found.get(key) ?? []), sample]);
      console.error(
        `  ${round}/${rounds} ${key}: ${Math.round(sample.microseconds)} µs, ${Math.round(sample.perSecond)}/s`,
      );
    }
  } finally {
    await peer.stop();
  }
}

/** All threads of the processes. Where there is no taskset, nothing is pinned. */
function pin(list: string, pids: readonly number[]): void {
  for (const pid of pids) spawnSync('taskset', ['-acp', list, String(pid)]);
}

function newDatabase({ url }: PostgresServer): Promise<string> {
  return createDatabase(url, `workers_${databases++}`);
}

function keyOf({ store, isPinned, workers }: Case, workload: string): string {
  return `${store}, ${workload}, ${isPinned ? 'pinned' : 'free'}, WORKERS=${workers}`;
}

function report(pinning: readonly boolean[]): void {
  const cases = stores.flatMap((store) => pinning.map((isPinned) => ({ store, isPinned })));
  const rows = workloads.flatMap((workload) =>
    cases.map(({ store, isPinned }) => {
      const [one, two] = processes.map((workers) =>
        summarise(found.get(keyOf({ store, isPinned, workers }, workload)) ?? []),
      );
      if (one === undefined || two === undefined) throw new Error('nothing was measured');
      return [
        workload,
        store,
        isPinned ? 'own core' : 'shares all',
        one.microseconds.toFixed(0),
        two.microseconds.toFixed(0),
        one.perSecond.toFixed(0),
        two.perSecond.toFixed(0),
        (two.perSecond / one.perSecond).toFixed(2),
        one.p99.toFixed(1),
        two.p99.toFixed(1),
      ];
    }),
  );
  const where = `${cores} cores; pinned: the generator on core ${places.generator}, the service and the database on ${places.service}`;
  console.log(`\n${where}; ${rounds} repetitions of ${seconds} s, medians; the time of the database is not counted\n`);
  const head = ['workload', 'store', 'generator', 'CPU µs, 1', 'CPU µs, 2', 'per second, 1', 'per second, 2', '2 / 1'];
  const table = toTable([...head, 'p99 ms, 1', 'p99 ms, 2'], rows);
  console.log(table);
  if (isWritten) writeTables([{ name: 'workers', text: table }]);
}
