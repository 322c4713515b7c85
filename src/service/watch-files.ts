// Composition: verifies that the database and the storage belong together, at the start or once the storage answers; then sweeps.
import { setTimeout as sleep } from 'node:timers/promises';
import { InstallationMismatch, type InstallationStore } from '../files/storage/installation.ts';
import { settleInstallation } from '../files/storage/settle-installation.ts';
import { type SweepDeps, sweepBlobs } from '../files/sweeps/sweep-blobs.ts';
import { newId } from '../kernel/crypto/random.ts';
import { type Loop, startLoop } from '../kernel/work/loop.ts';
import { type Pace, repeatWhileFull, turnUntil } from '../kernel/work/pace.ts';
import type { Metrics } from './metrics/metric-definitions.ts';

export type FileWatch = {
  /** Whether the storage is known to belong to the database. Until then nothing is removed. */
  readonly isSettled: boolean;
  start(onMismatch: (error: InstallationMismatch) => void): Loop;
};

type Deps = SweepDeps & { readonly installations: InstallationStore };

export type FileWatchTimes = {
  /** If the storage does not answer in this time, it is asked again later: users can sign in without it. */
  readonly settleMilliseconds: number;
  readonly roundMilliseconds: number;
  /** No sweep runs right after a start, so that an operator who sees a mistake has time to stop the service. */
  readonly beforeFirstMilliseconds: number;
  readonly atRestMilliseconds: number;
};

export const fileWatchTimes: FileWatchTimes = {
  settleMilliseconds: 5000,
  roundMilliseconds: 10_000,
  beforeFirstMilliseconds: 300_000,
  atRestMilliseconds: 300_000,
};

/** A quarter of the time of one node. A slice is bounded by its own time (files/sweeps/sweep-blobs). */
const slicePace: Pace = { share: 0.25, pieceMilliseconds: 100, least: 1, most: 1 };

/** Throws InstallationMismatch. */
export async function watchFiles(
  deps: Deps,
  metrics: Pick<Metrics, 'count'>,
  times: FileWatchTimes = fileWatchTimes,
): Promise<FileWatch> {
  const { log } = deps;
  let isSettled = await settleSoon(deps, times);
  const holder = newId();
  let nextAt = performance.now() + times.beforeFirstMilliseconds;
  const sweepSlice = async () => {
    // Checked again before every slice: the storage may have been assigned to another database in the meantime.
    isSettled = await settleInstallation(deps);
    if (!isSettled) return { isFull: false };
    const { state, removed } = await sweepBlobs(deps, holder);
    metrics.count('blobs_swept', { reason: 'orphaned' }, removed);
    return { isFull: state === 'on' };
  };
  const round = async (stop: AbortSignal) => {
    if (performance.now() >= nextAt) {
      nextAt = performance.now() + times.atRestMilliseconds;
      await repeatWhileFull(slicePace, turnUntil(stop), sweepSlice);
    } else if (!isSettled) isSettled = await settleInstallation(deps);
  };
  const start: FileWatch['start'] = (onMismatch) => {
    const report = (error: unknown) => {
      if (error instanceof InstallationMismatch) onMismatch(error);
      else log[isSettled ? 'warn' : 'debug']('the sweep of files failed', { error });
    };
    return startLoop(times.roundMilliseconds, round, report);
  };
  return {
    get isSettled() {
      return isSettled;
    },
    start,
  };
}

async function settleSoon(deps: Deps, { settleMilliseconds }: FileWatchTimes): Promise<boolean> {
  const settling = settleInstallation(deps);
  settling.catch(() => undefined);
  const late = sleep(settleMilliseconds, undefined, { ref: false }).then(() =>
    Promise.reject(new Error('it does not answer')),
  );
  late.catch(() => undefined);
  return Promise.race([settling, late]).catch((error: unknown) => {
    if (error instanceof InstallationMismatch) throw error;
    deps.log.warn('the storage could not be asked whose it is: nothing is swept until it was', {
      reason: reasonOf(error),
    });
    return false;
  });
}

/** The cause of a failure is more specific than its code. */
function reasonOf(error: unknown): string {
  const { cause, message } = error as Error;
  return cause instanceof Error ? cause.message : message;
}
