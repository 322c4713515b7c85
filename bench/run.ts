// `npm run bench`: Gatehouse and its peers side by side in one run, on one machine, with one load generator; prints ratios.
// `npm run bench -- codeExchange appRefresh refresh` runs only these workloads.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { startPostgresServer } from '../test/helpers/postgres-server.ts';
import { startS3Server } from '../test/helpers/s3-server.ts';
import { type Goal, goals } from './goals.ts';
import { installMebibytes } from './install-size.ts';
import { drive, type Figures } from './load/drive.ts';
import { type GatehousePeer, startGatehouse } from './load/gatehouse.ts';
import { watchProcessor } from './load/processor.ts';
import { startBetterAuth } from './peers/better-auth.ts';
import { installPeers } from './peers/install.ts';
import { behindNginx, commitRate, startHello, startNginx, startReadStream, startSigner } from './peers/limits.ts';
import { startOidcProvider } from './peers/oidc-provider.ts';
import type { Peer } from './peers/peer.ts';
import { startPocketBase } from './peers/pocketbase.ts';
import { startTus } from './peers/tus.ts';

const seconds = Number(process.env.BENCH_SECONDS ?? 4);
const warmUpSeconds = 1;
const connections = 32;
/** Few connections for large files, so that the transfer is measured and not the queue. */
const largeConnections = 2;

type Result = Figures & {
  readonly peer: string;
  readonly workload: string;
  readonly residentMebibytes: number;
  /** Processor time of all threads of the peer, for one call. */
  readonly microseconds: number;
};

const only = process.argv.slice(2);

installPeers();
const folder = mkdtempSync(join(tmpdir(), 'gatehouse-bench-'));
const postgres = await startPostgresServer();
const s3 = await startS3Server();
const results: Result[] = [];
const calls = ['sendCode', 'signInNew', 'signInKnown', 'refresh', 'sessionCheck', 'codeExchange', 'appRefresh'];
const resumable = ['uploadResumable1MiB', 'uploadResumable100MiB', 'uploadHalf50MiB'];
const plain = ['upload20KiB', 'upload1MiB', 'upload100MiB', 'download4KiB', 'download100MiB'];
const callsAndFiles = [...calls, ...plain, ...resumable];
let loopDelay = Number.NaN;
const starts: Record<string, number> = {};
try {
  await measure(() => startHello());
  await measure(() => startSigner());
  await measure(() => noteStart(startGatehouse('Gatehouse on SQLite')), callsAndFiles);
  await measure(() => startBetterAuth({ kind: 'sqlite', file: join(folder, 'better-auth.db') }));
  await measure(() => startOidcProvider({ kind: 'sqlite', file: join(folder, 'oidc-provider.db') }));
  await measure(() => startOidcProvider({ kind: 'memory' }));
  await measure(() => startPocketBase(subfolder('pocketbase')));
  await measure(() => startTus(subfolder('tus')));
  await measure(() => startNginx(subfolder('nginx')));
  await measure(startAccelerated);
  await measure(() => startReadStream(subfolder('stream')));
  await measure(() => startGatehouse('Gatehouse on S3', { STORAGE_URL: s3.url() }), ['redirect']);
  const loopDelayFile = join(folder, 'loop-delay');
  await measure(
    () => startGatehouse('Gatehouse, watched', { BENCH_LOOP_DELAY: loopDelayFile }),
    ['refresh', 'upload1MiB', 'upload100MiB'],
  );
  loopDelay = Number(readFileSync(loopDelayFile, 'utf8'));
  await measure(
    async () =>
      noteStart(startGatehouse('Gatehouse on PostgreSQL', { DATABASE_URL: (await database('gatehouse')).url })),
    calls,
  );
  await measure(
    async () => startGatehouse('Gatehouse, 2 workers', { DATABASE_URL: (await database('two')).url, WORKERS: '2' }),
    calls,
  );
  await measure(async () => startBetterAuth(await database('better_auth')));
  const commits = {
    sqlite: await commitRate({ kind: 'sqlite', file: join(folder, 'commits.db') }),
    postgres: await commitRate(await database('commits')),
  };
  report(commits);
} finally {
  await postgres.end();
  await s3.stop();
  rmSync(folder, { recursive: true, force: true });
}

/** Each peer gets its own empty database. */
async function database(name: string) {
  const client = new pg.Client(postgres.url);
  await client.connect();
  await client.query(`create database ${name}`);
  await client.end();
  const url = new URL(postgres.url);
  url.pathname = `/${name}`;
  return { kind: 'postgres', url: url.href } as const;
}

function subfolder(name: string): string {
  const path = join(folder, name);
  mkdirSync(path);
  return path;
}

async function noteStart(starting: Promise<GatehousePeer>): Promise<Peer> {
  const peer = await starting;
  starts[peer.name] = Math.round(peer.readyMilliseconds);
  return peer;
}

/** nginx serves the files, the service only decides. */
async function startAccelerated(): Promise<Peer | undefined> {
  const peer = await startGatehouse('Gatehouse', { FILE_DELIVERY: 'accel' });
  const behind = await behindNginx(peer, 'Gatehouse behind nginx', subfolder('accel'), join(peer.dataDir, 'files'));
  if (behind === undefined) await peer.stop();
  return behind;
}

/** All workloads of the peer, or the named ones. */
async function measure(start: () => Promise<Peer | undefined>, wanted?: readonly string[]): Promise<void> {
  const peer = await start();
  if (peer === undefined) return;
  const { hostname: host, port } = new URL(peer.url);
  try {
    for (const [workload, prepare] of Object.entries(peer.workloads)) {
      if (wanted !== undefined && !wanted.includes(workload)) continue;
      if (only.length > 0 && !only.includes(workload)) continue;
      const callers = await prepare(/(?:50|100)MiB$/.test(workload) ? largeConnections : connections);
      const watched = watchProcessor(peer.pid, callers);
      const figures = await drive({ host, port: Number(port), callers: watched.callers, seconds, warmUpSeconds });
      const [microseconds, memory] = [watched.microsecondsPerCall(), residentMebibytes(peer.pid)];
      results.push({ ...figures, peer: peer.name, workload, residentMebibytes: memory, microseconds });
      process.stderr.write(`  ${peer.name}, ${workload}: ${Math.round(figures.perSecond)}/s\n`);
    }
  } finally {
    await peer.stop();
  }
}

/** Only Linux reports it for another process. */
function residentMebibytes(pid: number): number {
  try {
    return Math.round(Number(/^VmRSS:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024);
  } catch {
    return Number.NaN;
  }
}

function find(peer: string, workload: string): Result | undefined {
  return results.find((result) => result.peer === peer && result.workload === workload);
}

function report(commits: Readonly<Record<string, number>>): void {
  const machine = `${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.versions.node}`;
  console.log(
    `\n${machine}; ${connections} connections, ${seconds} s each, every answer checked, durable commits everywhere\n`,
  );
  console.log(
    '| | workload | per second | p50 ms | p99 ms | MiB/s | resident MiB | CPU µs a call |\n|---|---|---|---|---|---|---|---|',
  );
  for (const {
    peer,
    workload,
    perSecond,
    p50,
    p99,
    bytes,
    seconds: took,
    residentMebibytes: memory,
    microseconds,
  } of results) {
    const rate = workload.includes('load') ? (workloadBytes(workload) * perSecond) / 2 ** 20 : bytes / took / 2 ** 20;
    console.log(
      `| ${peer} | ${workload} | ${perSecond.toFixed(perSecond < 100 ? 1 : 0)} | ${p50.toFixed(1)} | ${p99.toFixed(1)} | ${rate.toFixed(0)} | ${memory} | ${microseconds.toFixed(0)} |`,
    );
  }
  reportTokenEndpoint();
  console.log('\n| goal | ratio | reached |\n|---|---|---|');
  for (const goal of goals) console.log(judge(goal));
  console.log(`\nReady after the start of the process: ${JSON.stringify(starts)} ms`);
  console.log(
    `Event loop of the service, 99th percentile of its delay under refreshes and uploads: ${loopDelay.toFixed(1)} ms`,
  );
  const { dependencies, node } = installMebibytes();
  console.log(`Installed size: ${dependencies} MiB of dependencies and ${node} MiB of Node itself`);
  console.log(`Bare durable commits per second: ${JSON.stringify(commits)}`);
  const file = join(tmpdir(), 'gatehouse-bench.json');
  writeFileSync(file, JSON.stringify({ machine, connections, seconds, results, starts, commits }, null, 2));
  console.log(`All results: ${file}`);
}

function workloadBytes(workload: string): number {
  const [, count = '0', unit] = /(\d+)(KiB|MiB)/.exec(workload) ?? [];
  return Number(count) * (unit === 'MiB' ? 2 ** 20 : 1024);
}

function judge({ text, ours, theirs, atLeast }: Goal): string {
  const [mine, other] = [find(...ours), find(...theirs)];
  if (mine === undefined || other === undefined) return `| ${text} | not measured | |`;
  const ratio = mine.perSecond / other.perSecond;
  return `| ${text} | ${ratio.toFixed(2)} (goal ${atLeast}) | ${ratio >= atLeast ? '✔' : '✖'} |`;
}

/** Processor time says more than calls per second, because the load generator shares the machine. */
function reportTokenEndpoint(): void {
  console.log('\n| token endpoint | ours, CPU µs a call | theirs | theirs / ours |\n|---|---|---|---|');
  for (const ours of ['Gatehouse on SQLite', 'Gatehouse on PostgreSQL']) {
    for (const theirs of ['oidc-provider on SQLite', 'oidc-provider in memory']) {
      for (const [mine, other] of [
        ['codeExchange', 'codeExchange'],
        ['appRefresh', 'refresh'],
      ] as const) {
        const [a = Number.NaN, b = Number.NaN] = [find(ours, mine)?.microseconds, find(theirs, other)?.microseconds];
        console.log(`| ${mine}, ${ours}: ${theirs} | ${a.toFixed(0)} | ${b.toFixed(0)} | ${(b / a).toFixed(2)} |`);
      }
    }
  }
}
