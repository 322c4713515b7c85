// `npm run bench`: Gatehouse and its peers side by side in one run, on one machine, with one load generator. `--help` says more.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startS3Server } from '../test/helpers/blobs/s3-server.ts';
import { startPostgresServer } from '../test/helpers/databases/postgres-server.ts';
import { compareWith } from './against/compare.ts';
import { type Contestant, contestants, isWatched, type Place } from './contestants.ts';
import { sqlite } from './goals.ts';
import { record } from './history.ts';
import { installMebibytes } from './install-size.ts';
import { createDatabase } from './load/fill.ts';
import { measure } from './load/measure.ts';
import { type Memory, memoryOf } from './load/processor.ts';
import { retire } from './load/retire.ts';
import { help, type Options, readOptions } from './options.ts';
import { installPeers } from './peers/install.ts';
import { commitRate } from './peers/limits.ts';
import { tables, writeTables } from './report.ts';
import { addSample, describeCommit, describeMachine, type Run, type Samples, toResults } from './results.ts';
import { median } from './statistics.ts';

const savedFile = join(tmpdir(), 'gatehouse-bench.json');
const restSeconds = 3;

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));
await main();

async function main(): Promise<void> {
  const options = tryToRead();
  if (options.wantsHelp) return void process.stdout.write(help);
  if (options.wantsList) return list();
  if (options.against !== undefined) {
    process.exitCode = await compareWith(options.against, options);
    return;
  }
  const run =
    options.from === undefined ? await measureAll(options) : (JSON.parse(readFileSync(options.from, 'utf8')) as Run);
  for (const { title, text } of tables(run)) console.log(`\n${title}\n\n${text}`);
  if (options.isRecorded) record(run);
  if (options.isWritten) writeTables(tables(run));
}

function tryToRead(): Options {
  try {
    return readOptions(process.argv.slice(2), process.env);
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${help}`);
    process.exit(2);
  }
}

function list(): void {
  for (const { name, workloads = ['all that it has'] } of contestants) console.log(`${name}: ${workloads.join(', ')}`);
}

async function measureAll(options: Options): Promise<Run> {
  const chosen = contestants.filter(
    ({ name }) => options.peers.length === 0 || options.peers.some((piece) => name.includes(piece)),
  );
  installPeers();
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-bench-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const postgres = await startPostgresServer();
  const s3 = await startS3Server();
  const samples: Samples = new Map();
  const notes: Notes = { starts: {}, memory: { start: [], end: [] }, loopDelays: [] };
  try {
    for (let round = 1; round <= options.rounds; round++) {
      for (const [index, contestant] of chosen.entries()) {
        const name = `bench_${round}_${index}`;
        const place = { folder: join(folder, name), name, postgresUrl: postgres.url, s3Url: s3.url() };
        mkdirSync(place.folder);
        await measurePeer(contestant, place, options, samples, notes, `${round}/${options.rounds}`);
        retire(place.folder);
      }
    }
    const isWhole = options.peers.length === 0 && options.workloads.length === 0;
    const commits = isWhole && {
      sqlite: await commitRate({ kind: 'sqlite', file: join(folder, 'commits.db') }),
      postgres: await commitRate({ kind: 'postgres', url: await createDatabase(postgres.url, 'commits') }),
    };
    const run: Run = {
      date: new Date().toISOString(),
      commit: describeCommit(),
      machine: describeMachine(),
      node: process.versions.node,
      seconds: options.seconds,
      rounds: options.rounds,
      results: toResults(samples),
      memory: { ...medianMemory('start', notes), ...medianMemory('end', notes) },
      starts: Object.fromEntries(Object.entries(notes.starts).map(([name, times]) => [name, median(times)])),
      loopDelay: notes.loopDelays.length === 0 ? null : median(notes.loopDelays),
      commits: commits || {},
      installed: isWhole ? installMebibytes() : {},
    };
    writeFileSync(savedFile, JSON.stringify(run, null, 2));
    console.error(`All results: ${savedFile} (npm run bench -- --from ${savedFile} prints the tables again)`);
    return run;
  } finally {
    await postgres.end();
    await s3.stop();
  }
}

type Notes = {
  readonly starts: Record<string, number[]>;
  readonly memory: Record<'start' | 'end', Memory[]>;
  readonly loopDelays: number[];
};

/** All workloads of the peer that are wanted. */
async function measurePeer(
  { name, workloads, start }: Contestant,
  place: Place,
  options: Options,
  samples: Samples,
  notes: Notes,
  round: string,
): Promise<void> {
  const isWanted = (workload: string) => options.workloads.length === 0 || options.workloads.includes(workload);
  if (workloads !== undefined && !workloads.some(isWanted)) return;
  const peer = await start(place);
  if (peer === undefined) return;
  try {
    if ('readyMilliseconds' in peer)
      notes.starts[name] = [...(notes.starts[name] ?? []), Number(peer.readyMilliseconds)];
    if (name === sqlite) notes.memory.start.push(memoryOf([peer.pid]));
    for (const workload of (workloads ?? Object.keys(peer.workloads)).filter(isWanted)) {
      // One failure, named, must not cost the results of all others.
      const sample = await measure(peer, workload, options).catch((error: Error) => {
        process.exitCode = 1;
        console.error(`  ${round} ${name}, ${workload} failed: ${error.message}`);
        return undefined;
      });
      if (sample === undefined) continue;
      addSample(samples, name, workload, sample);
      const { microseconds, perSecond } = sample;
      console.error(`  ${round} ${name}, ${workload}: ${Math.round(microseconds)} µs, ${Math.round(perSecond)}/s`);
    }
    if (isWatched(peer)) notes.loopDelays.push(peer.loopDelay());
    if (name !== sqlite) return;
    await sleep(restSeconds * 1000);
    notes.memory.end.push(memoryOf([peer.pid]));
  } finally {
    await peer.stop();
  }
}

function medianMemory(when: 'start' | 'end', { memory }: Notes): Run['memory'] {
  const list = memory[when];
  if (list.length === 0) return {};
  return {
    [when]: {
      anonymousMebibytes: median(list.map(({ anonymousMebibytes }) => anonymousMebibytes)),
      residentMebibytes: median(list.map(({ residentMebibytes }) => residentMebibytes)),
    },
  };
}
