// A machine with repeated faults: users work, the fault happens, the service returns, and every acknowledged step is checked.
import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { openAcknowledgements } from '../../helpers/faults/acknowledgements.ts';
import { crowd } from '../../helpers/faults/lives.ts';
import {
  type GatehouseProcess,
  isolatedEnv,
  type StoreKind,
  spawnGatehouse,
  type TestEnv,
} from '../../helpers/services/gatehouse.ts';
import { judge } from './judge.ts';
import { matchFiles, settle } from './settle.ts';

type Fault = (service: GatehouseProcess) => Promise<void>;

type CrashRig = {
  readonly env: TestEnv;
  /** Runs users against the service, causes the fault at a random moment, restarts the service if it ended, and checks all notes. */
  strike(fault: Fault): Promise<void>;
  /** Checks the whole store and returns a summary. */
  finish(): Promise<string>;
  dispose(): Promise<void>;
};

const users = 4;
/** The most acknowledged steps before the fault. Steps are counted, not time, because a busy machine does little in a given time. */
const mostSteps = 24;
const longestMilliseconds = 5000;
/** The longest wait from there to the fault, which may happen at any moment of a step. */
const latestMilliseconds = 50;

/** `before` is a command that runs every start of the service. */
export async function openCrashRig(
  kind: StoreKind,
  more: TestEnv = {},
  before: readonly string[] = [],
): Promise<CrashRig> {
  // Long lives: on a slow machine with repeated faults no message may expire before it is sent.
  const lives = { OTP_SMS_LIFE: '6h', OTP_MAIL_LIFE: '6h', LINK_LIFE: '6h' };
  const own = { TRASH_LIFE: '0', ...lives, ...more };
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
