// Compares the service with its model until that many steps are taken. A difference is shown with a short sequence of steps.
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { seed as firstSeed } from '../../helpers/faults/rounds.ts';
import { isolatedEnv, type StoreKind } from '../../helpers/services/gatehouse.ts';
import { type QuickService, startService } from '../../helpers/services/quick-service.ts';
import { codeSettings } from './codes.ts';
import { changeWait, phoneSettings } from './phones.ts';
import { startPlay, take } from './play.ts';
import { sessionSettings } from './sessions.ts';
import { type Step, stories } from './steps.ts';

/** How long the search for a shorter sequence may take. */
const searchMilliseconds = 30_000;

type Compared = { readonly report: string; readonly given: ReadonlySet<string> };

type Extent = { readonly most?: number; readonly seed?: number; isEnough?(given: ReadonlySet<string>): boolean };

/** Takes that many steps, and then more of them until `isEnough`, but at most `most`. */
export async function compareWithModel(
  kind: StoreKind,
  wanted: number,
  { most = wanted, seed: usual = firstSeed, isEnough = () => true }: Extent = {},
): Promise<Compared> {
  // In memory if the machine offers it, because this test is about answers, not about the disk.
  const memory = existsSync('/dev/shm') ? mkdtempSync(join('/dev/shm', 'gatehouse-model-')) : undefined;
  const settings = { ...codeSettings, ...sessionSettings, ...phoneSettings, NOTICES: 'mail+sms' };
  const folder = memory === undefined ? {} : { DATA_DIR: memory };
  const { env, dispose } = await isolatedEnv(kind, { ...settings, ...folder }, 'migrated');
  const service = await startService(env);
  const seed = Number(process.env.MODEL_SEED ?? usual);
  const given = new Set<string>();
  let taken = 0;
  try {
    for (const steps of fc.sample(stories, { seed, numRuns: 10 + Math.ceil(most / 50) })) {
      const left = (taken < wanted ? wanted : most) - taken;
      const played = await play(service, steps, given, left);
      taken += played.taken;
      if (played.error !== undefined) await explain(service, steps.slice(0, played.at + 1), played.error, seed);
      if (taken >= most || (taken >= wanted && isEnough(given))) break;
    }
  } finally {
    await service.stop();
    await dispose();
    if (memory !== undefined) rmSync(memory, { recursive: true, force: true });
  }
  assert.ok(taken >= wanted);
  return { report: `${taken} steps, seed ${seed} (repeat with MODEL_SEED=${seed})`, given };
}

type Played = { readonly taken: number; readonly at: number; readonly error?: unknown };

/** New users take the steps. `at`: the step at which the service and the model differ. */
async function play(service: QuickService, steps: readonly Step[], given: Set<string>, most: number): Promise<Played> {
  // What earlier users have scheduled must not take effect during these steps.
  service.pass(changeWait);
  await service.applyChanges();
  await service.takeLetters();
  const stage = startPlay(service, given);
  let taken = 0;
  for (const [at, step] of steps.entries()) {
    if (taken >= most) break;
    try {
      if (await take(stage, step)) taken += 1;
    } catch (error) {
      return { taken, at, error };
    }
  }
  return { taken, at: steps.length };
}

/** Leaves out steps as long as the service and the model still differ. */
async function explain(service: QuickService, found: readonly Step[], error: unknown, seed: number): Promise<never> {
  const end = performance.now() + searchMilliseconds;
  let steps = [...found];
  let cause = error;
  for (let size = Math.ceil(steps.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let from = 0; from < steps.length && performance.now() < end; ) {
      const fewer = steps.toSpliced(from, size);
      const played = await play(service, fewer, new Set(), Number.POSITIVE_INFINITY);
      if (played.error === undefined) from += size;
      else {
        cause = played.error;
        steps = fewer.slice(0, played.at + 1);
      }
    }
  }
  const shown = steps.map((step) => JSON.stringify(step)).join('\n');
  throw new Error(`they differ (MODEL_SEED=${seed}) after these steps of new users:\n${shown}`, { cause });
}
