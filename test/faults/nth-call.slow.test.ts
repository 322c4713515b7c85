// kill -9 at the n-th write, sync, rename and removal, for n = 1, 2, 3 … until a whole life ends without a kill: every promise holds.
import { after, before, describe, it } from 'node:test';
import { type Acknowledgements, openAcknowledgements } from '../helpers/faults/acknowledgements.ts';
import { isAbsence, live } from '../helpers/faults/lives.ts';
import { factor, spread } from '../helpers/faults/rounds.ts';
import {
  isolatedEnv,
  type StoreKind,
  spawnGatehouse,
  startGatehouse,
  storeKinds,
  type TestEnv,
} from '../helpers/services/gatehouse.ts';
import { judge } from './rig/judge.ts';
import { matchFiles, settle } from './rig/settle.ts';
import { hasStrace, spawnInjected } from './rig/strace.ts';

/** Each name is a call, or one call with the names of different machines. strace counts every call separately. */
const moves = ['fsync', 'fdatasync', 'rename,renameat,renameat2', 'unlink,unlinkat'];
const sends = ['write', 'writev'];
const calls: Readonly<Record<StoreKind, readonly (readonly string[])[]>> = {
  sqlite: [moves, ['pwrite64'], sends],
  postgres: [moves, sends],
};

/** The short form kills at the first call of a group. The long form takes each call separately, so that none hides another. */
const apart = (names: readonly string[]) => (factor === 1 ? [names.join()] : names);

describe('a service that is killed at its n-th system call', { skip: !hasStrace(), concurrency: true }, () => {
  for (const kind of storeKinds) {
    describe(`kills at the n-th system call on ${kind}`, { concurrency: 1 }, () => {
      let isolated: Awaited<ReturnType<typeof isolatedEnv>>;
      const log = openAcknowledgements();
      before(async () => {
        isolated = await isolatedEnv(kind, { TRASH_LIFE: '0' });
      });
      after(async () => {
        const { env, dispose } = isolated;
        try {
          await withService(
            () => spawnGatehouse(env),
            () => settle(env),
          );
          await matchFiles(env);
        } finally {
          log.remove();
          await dispose();
        }
      });

      for (const names of calls[kind].flatMap(apart)) {
        it(`a service on ${kind} killed at any call of ${names} keeps every acknowledged step`, async (test) => {
          const known = log.done();
          const { kills, isEach } = await killAtEach(isolated.env, names, log);
          const which = isEach ? 'each' : 'some';
          test.diagnostic(
            `${kind}, ${names}: ${kills} kills at ${which} n, ${log.done() - known} acknowledged steps, 0 lost`,
          );
        });
      }
    });
  }
});

/** Runs until a life ends without a kill. Returns the number of kills, and whether every n was used. */
async function killAtEach(env: TestEnv, names: string, log: Acknowledgements) {
  let kills = 0;
  let latest = 0;
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
    latest = n;
  }
  return { kills, isEach: latest === kills };
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

/** One life, or its part before the kill. Returns whether the kill happened. */
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
