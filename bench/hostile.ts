// The time of a refresh without uploads, and during uploads of four hostile files at a time, in one run.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { call, signIn } from '../test/helpers/api.ts';
import { spawnGatehouse } from '../test/helpers/gatehouse.ts';
import { worstFiles } from '../test/helpers/media/worst-media-files.ts';
import { freePort } from '../test/helpers/postgres-server.ts';

const mebibyte = 2 ** 20;
const probes = 300;
const pauseMilliseconds = 10;
const hostile = [
  ['text', 'the beginnings of tags', 'document'],
  ['PDF', 'one run of many rows', 'document'],
  ['Ogg', 'pages of one byte', 'audio'],
  ['MP4', 'fragments of one sample', 'video'],
] as const;

const dataDir = mkdtempSync(join(tmpdir(), 'gatehouse-hostile-'));
const service = await spawnGatehouse({
  PORT: String(await freePort()),
  DATA_DIR: dataDir,
  METRICS_PORT: 'off',
  LOG_LEVEL: 'silent',
  LIMIT_UPLOADS_PER_USER: 'off',
  LIMIT_REQUESTS_PER_IP: 'off',
  FILE_QUOTA: '20GiB',
});
try {
  const { JWT, RT } = await signIn(service.url, '+12025550198');
  let token = RT;
  const refresh = async () => {
    const begun = performance.now();
    const { status, body } = await call(service.url, 'POST', '/api/auth/refresh-token', { headers: { RT: token } });
    if (status !== 200) throw new Error(body.message);
    token = body.data.RT;
    return performance.now() - begun;
  };
  await probe(refresh);
  const quiet = await probe(refresh);
  let isOver = false;
  let uploads = 0;
  const attackers = hostile.map(async ([prover, name, purpose]) => {
    const file = worstFiles.find((worst) => worst.prover === prover && worst.name === name);
    const bytes = new Uint8Array(file?.make(8 * mebibyte) ?? []);
    while (!isOver) {
      await upload(bytes, purpose, JWT);
      uploads += 1;
    }
  });
  await sleep(1000);
  const busy = await probe(refresh);
  isOver = true;
  await Promise.all(attackers);
  console.log('| refresh | p50, ms | p99, ms |');
  console.log('|---|---|---|');
  console.log(`| no uploads | ${at(quiet, 0.5)} | ${at(quiet, 0.99)} |`);
  console.log(`| four hostile uploads at a time (${uploads} in all) | ${at(busy, 0.5)} | ${at(busy, 0.99)} |`);
} finally {
  await service.stop();
  rmSync(dataDir, { recursive: true, force: true });
}

async function probe(refresh: () => Promise<number>): Promise<number[]> {
  const times: number[] = [];
  for (let count = 0; count < probes; count++) {
    times.push(await refresh());
    await sleep(pauseMilliseconds);
  }
  return times.sort((one, other) => one - other);
}

async function upload(bytes: Uint8Array<ArrayBuffer>, purpose: string, token: string): Promise<void> {
  const response = await fetch(`${service.url}/api/file/upload?purpose=${purpose}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/octet-stream' },
    body: bytes,
  });
  const { data } = (await response.json()) as { data: { id: string } | null };
  // An upload that is refused at once would cause no load, and the result would be meaningless.
  if (data === null) throw new Error(`a hostile upload was answered with ${response.status}`);
  await call(service.url, 'DELETE', `/api/file/${data.id}`, { token });
}

function at(times: readonly number[], share: number): string {
  return (times[Math.floor(times.length * share)] ?? Number.NaN).toFixed(1);
}
