// kill -9 at the n-th write, sync, rename and removal, for n = 1, 2, 3 … until a whole life passes without: every promise holds.
import { describe, it, type TestContext } from 'node:test';
import { isolatedEnv, type StoreKind, spawnGatehouse, startGatehouse } from '../support/gatehouse.ts';
import { openAcknowledgements } from './acknowledgements.ts';
import { judge } from './judge.ts';
import { isAbsence, live } from './lives.ts';
import { spread } from './rounds.ts';
import { matchFiles, settle } from './settle.ts';
import { hasStrace, spawnInjected } from './strace.ts';

const points: readonly (readonly [StoreKind, string, string])[] = [
  ['sqlite', 'sync, rename or removal', 'fsync,fdatasync,rename,unlink'],
  ['sqlite', 'write into a file', 'pwrite64'],
  ['sqlite', 'write to a socket', 'write,writev'],
  ['postgres', 'sync, rename or removal', 'fsync,fdatasync,rename,unlink'],
  ['postgres', 'write to a socket', 'write,writev'],
];

describe('a service that is killed at its n-th system call', { skip: !hasStrace() }, () => {
  for (const [kind, name, calls] of points) {
    it(`keeps every promise on ${kind}: ${name}`, (test) => killAtEach(test, kind, calls));
  }
});

async function killAtEach(test: TestContext, kind: StoreKind, calls: string): Promise<void> {
  const { env, dispose } = await isolatedEnv(kind, { LIMIT_UPLOADS_PER_USER: 'off', REFRESH_TOKEN_GRACE: '10m' });
  const log = openAcknowledgements();
  test.after(async () => {
    log.remove();
    await dispose();
  });
  let kills = 0;
  for (const n of spread()) {
    const isKilled = await liveUntilKilled(env, calls, n, log);
    const service = await startGatehouse(env);
    try {
      for (const [phone, notes] of log.takeNew()) await judge(service.url, phone, notes);
    } finally {
      await service.stop();
    }
    if (!isKilled) break;
    kills += 1;
  }
  const service = await spawnGatehouse(env);
  try {
    await settle(env);
  } finally {
    await service.stop();
  }
  await matchFiles(env);
  test.diagnostic(`${kills} kills, ${log.done()} acknowledged steps, 0 lost`);
}

/** One life, or what there is of it before the call comes; true when it came. */
async function liveUntilKilled(
  env: Readonly<Record<string, string>>,
  calls: string,
  n: number,
  log: ReturnType<typeof openAcknowledgements>,
): Promise<boolean> {
  const service = await spawnInjected(env, calls, `signal=KILL:when=${n}`).catch(() => undefined);
  if (service === undefined) return true;
  try {
    await live(service.url, log, 1);
    return false;
  } catch (error) {
    if (!isAbsence(error)) throw error;
    return true;
  } finally {
    await service.stop('SIGKILL');
  }
}
