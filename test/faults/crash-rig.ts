// One machine that is broken again and again: a crowd works, the fault strikes, the service comes back, every promise is judged.
import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type GatehouseProcess,
  isolatedEnv,
  type StoreKind,
  spawnGatehouse,
  type TestEnv,
} from '../support/gatehouse.ts';
import { openAcknowledgements } from './acknowledgements.ts';
import { judge } from './judge.ts';
import { crowd } from './lives.ts';
import { matchFiles, settle } from './settle.ts';

export type Fault = (service: GatehouseProcess) => Promise<void>;

export type CrashRig = {
  readonly env: TestEnv;
  /** Up, worked upon by a crowd, struck at a random moment, up again, judged. */
  strike(fault: Fault): Promise<void>;
  /** Judges the whole of the store, and tells what was done in words. */
  finish(): Promise<string>;
  dispose(): Promise<void>;
};

const users = 4;
/** How far a crowd gets before the fault: counted in what it was told, because a busy machine does little in a given time. */
const mostSteps = 24;
const longestMilliseconds = 5000;
/** From there to the moment of the fault, which may be any of a step. */
const latestMilliseconds = 50;

/** Every start is run by the words before it, where there are some. */
export async function openCrashRig(
  kind: StoreKind,
  more: TestEnv = {},
  before: readonly string[] = [],
): Promise<CrashRig> {
  // Long lives: on a slow machine that is struck again and again no message may expire before its turn comes.
  const lives = { OTP_SMS_LIFE: '6h', OTP_MAIL_LIFE: '6h', LINK_LIFE: '6h', REFRESH_TOKEN_GRACE: '10m' };
  const own = { LIMIT_UPLOADS_PER_USER: 'off', ...lives, ...more };
  const { env, dispose } = await isolatedEnv(kind, own);
  const log = openAcknowledgements();
  let service = await spawnGatehouse(env, before).catch(async (error: unknown) => {
    log.remove();
    await dispose();
    throw error;
  });
  let faults = 0;
  let judged = 0;
  return {
    env,
    strike: async (fault) => {
      const known = log.done();
      let isOver = false;
      let hasEnded = false;
      const working = crowd(service.url, log, users, () => isOver).finally(() => {
        hasEnded = true;
      });
      working.catch(() => undefined);
      const isAlive = () => service.child.exitCode === null && !hasEnded;
      while (log.done() === known && isAlive()) await sleep(2);
      const [steps, until] = [known + randomInt(mostSteps), performance.now() + longestMilliseconds];
      while (log.done() < steps && performance.now() < until && isAlive()) await sleep(2);
      if (hasEnded) await working;
      await sleep(Math.random() * latestMilliseconds);
      await fault(service);
      faults += 1;
      isOver = true;
      if (service.child.exitCode !== null || service.child.signalCode !== null)
        service = await spawnGatehouse(env, before);
      await working;
      const notes = log.takeNew();
      judged += notes.size;
      await Promise.all([...notes].map(([phone, own]) => judge(service.url, phone, own)));
    },
    finish: async () => {
      await settle(env);
      await service.stop();
      const swept = await matchFiles(env);
      return `${faults} faults, ${log.done()} acknowledged steps of ${judged} users, 0 lost; ${swept} blobs without a record swept`;
    },
    dispose: async () => {
      await service.stop('SIGKILL');
      log.remove();
      await dispose();
    },
  };
}
