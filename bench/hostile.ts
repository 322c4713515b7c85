// The time of a refresh alone, and beside uploads of four hostile files at a time, in turn and in one run. The goal is a bound on what is added to its p99.
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { freePort } from '../test/helpers/databases/postgres-server.ts';
import { call, signIn } from '../test/helpers/requests/api.ts';
import { spawnGatehouse } from '../test/helpers/services/gatehouse.ts';
import type { HostileNews, HostileOrder, HostileWork } from './load/hostile-uploads.ts';

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '6' }, probes: { type: 'string', default: '500' } },
});
const [rounds, probes] = [Number(values.rounds), Number(values.probes)];
const pauseMilliseconds = 5;
/** More than that may not be added to the p99 of a refresh. */
const mostAddedMilliseconds = 20;

const dataDir = mkdtempSync(join(tmpdir(), 'gatehouse-hostile-'));
const service = await spawnGatehouse({
  PORT: String(await freePort()),
  DATA_DIR: dataDir,
  METRICS_PORT: 'off',
  LOG_LEVEL: 'silent',
  LIMIT_UPLOADS_PER_USER: 'off',
  LIMIT_REQUESTS_PER_IP: 'off',
  FILE_QUOTA: '20GiB',
  // Files of the trash would fill the quota.
  TRASH_LIFE: '0',
});
let attackers: Worker | undefined;
try {
  const tokens: string[] = [];
  for (const digit of [1, 2, 3, 4]) tokens.push((await signIn(service.url, `+1202555019${digit}`)).JWT);
  const workerData: HostileWork = { url: service.url, tokens };
  attackers = new Worker(new URL('./load/hostile-uploads.ts', import.meta.url), { workerData });
  const tell = async (order: HostileOrder): Promise<HostileNews> => {
    attackers?.postMessage(order);
    const [news] = await once(attackers ?? process, 'message');
    return news;
  };
  let { RT: token } = await signIn(service.url, '+12025550198');
  const refresh = async () => {
    const begun = performance.now();
    const { status, body } = await call(service.url, 'POST', '/api/auth/refresh-token', { headers: { RT: token } });
    if (status !== 200) throw new Error(body.message);
    token = body.data.RT;
    return performance.now() - begun;
  };
  await probe(refresh);
  const [alone, beside]: [number[], number[]] = [[], []];
  let uploads = 0;
  // In turn, so that what else the machine does falls on both.
  for (let round = 0; round < rounds; round++) {
    alone.push(...(await probe(refresh)));
    await tell('begin');
    beside.push(...(await probe(refresh)));
    const news = await tell('end');
    if (news.kind === 'ended') uploads += news.uploads;
  }
  report(alone.sort(byTime), beside.sort(byTime), uploads);
} finally {
  await attackers?.terminate();
  await service.stop();
  rmSync(dataDir, { recursive: true, force: true });
}

async function probe(refresh: () => Promise<number>): Promise<number[]> {
  const times: number[] = [];
  for (let count = 0; count < probes; count++) {
    times.push(await refresh());
    await sleep(pauseMilliseconds);
  }
  return times;
}

function report(alone: readonly number[], beside: readonly number[], uploads: number): void {
  console.log('| refresh | calls | p50, ms | p99, ms | longest, ms |');
  console.log('|---|---|---|---|---|');
  for (const [what, times] of [
    ['alone', alone],
    [`beside four hostile uploads at a time (${uploads} in all)`, beside],
  ] as const) {
    const shown = [0.5, 0.99, 1].map((share) => at(times, share).toFixed(1));
    console.log(`| ${what} | ${times.length} | ${shown.join(' | ')} |`);
  }
  const added = at(beside, 0.99) - at(alone, 0.99);
  const isKept = added <= mostAddedMilliseconds;
  console.log(
    `added to the p99: ${added.toFixed(1)} ms; the goal is at most ${mostAddedMilliseconds} ms: ${isKept ? 'kept' : 'missed'}`,
  );
  if (!isKept) process.exitCode = 1;
}

function at(times: readonly number[], share: number): number {
  return times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Number.NaN;
}

function byTime(one: number, other: number): number {
  return one - other;
}
