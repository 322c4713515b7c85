// kill -9 at the n-th write, sync, rename and removal, for n = 1, 2, 3 … until a whole life passes without: every promise holds.
import { describe, it } from 'node:test';
import {
  isolatedEnv,
  type StoreKind,
  spawnGatehouse,
  startGatehouse,
  storeKinds,
  type TestEnv,
} from '../support/gatehouse.ts';
import { type Acknowledgements, openAcknowledgements } from './acknowledgements.ts';
import { judge } from './judge.ts';
import { isAbsence, live } from './lives.ts';
import { factor, spread } from './rounds.ts';
import { matchFiles, settle } from './settle.ts';
import { hasStrace, spawnInjected } from './strace.ts';

/** Each name is a call, or one call as different machines name it; strace counts every call for itself. */
const moves = ['fsync', 'fdatasync', 'rename,renameat,renameat2', 'unlink,unlinkat'];
const calls: Readonly<Record<StoreKind, Readonly<Record<string, readonly string[]>>>> = {
  sqlite: {
    'syncs, renames and removals': moves,
    'writes into files': ['pwrite64'],
    'writes to sockets': ['write', 'writev'],
  },
  postgres: {
    'syncs, renames and removals': moves,
    'writes to sockets': ['write', 'writev'],
  },
};

/** In the short form whichever of them comes first; in the long form each by itself, so that none hides another. */
const apart = (names: readonly string[]) => (factor === 1 ? [names.join()] : names);

describe('a service that is killed at its n-th system call', { skip: !hasStrace(), concurrency: true }, () => {
  for (const kind of storeKinds) {
    it(`keeps every promise on ${kind}`, async (test) => {
      const { env, dispose } = await isolatedEnv(kind, { LIMIT_UPLOADS_PER_USER: 'off', REFRESH_TOKEN_GRACE: '10m' });
      const log = openAcknowledgements();
      test.after(async () => {
        log.remove();
        await dispose();
      });
      for (const [name, names] of Object.entries(calls[kind])) {
        for (const call of apart(names)) {
          const kills = await killAtEach(env, call, log);
          test.diagnostic(`${kind}, ${factor === 1 ? name : call}: ${kills} kills`);
        }
      }
      await withService(
        () => spawnGatehouse(env),
        () => settle(env),
      );
      await matchFiles(env);
      test.diagnostic(`${log.done()} acknowledged steps, 0 lost`);
    });
  }
});

/** Until a life passes without a kill; tells how many there were. */
async function killAtEach(env: TestEnv, names: string, log: Acknowledgements): Promise<number> {
  let kills = 0;
  for (const n of spread()) {
    const isKilled = await liveUntilKilled(env, names, n, log);
    await withService(
      () => startGatehouse(env),
      async ({ url }) => {
        for (const [phone, notes] of log.takeNew()) await judge(url, phone, notes);
      },
    );
    if (!isKilled) break;
    kills += 1;
  }
  return kills;
}

type Service = { readonly url: string; stop(): Promise<unknown> };

async function withService(start: () => Promise<Service>, act: (service: Service) => Promise<void>): Promise<void> {
  const service = await start();
  try {
    await act(service);
  } finally {
    await service.stop();
  }
}

/** One life, or what there is of it before the call comes; true when it came. */
async function liveUntilKilled(env: TestEnv, names: string, n: number, log: Acknowledgements): Promise<boolean> {
  const service = await spawnInjected(env, names, `signal=KILL:when=${n}`).catch(() => undefined);
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
