// Composition: sees at the start that database and storage belong together, or later where the storage is away; only then sweeps.
import { setTimeout as sleep } from 'node:timers/promises';
import { InstallationMismatch, type InstallationStore } from '../files/installation.ts';
import { settleInstallation } from '../files/settle-installation.ts';
import { removeOwn, type SweepDeps, sweepBlobs } from '../files/sweep-blobs.ts';
import { type Loop, startLoop } from '../kernel/loop.ts';
import { newId } from '../kernel/random.ts';
import type { Metrics } from '../kernel/telemetry.ts';

export type FileWatch = { start(onMismatch: (error: InstallationMismatch) => void): Loop };

type Deps = SweepDeps & { readonly installations: InstallationStore };

/** A storage that does not answer by then is asked again later: people can sign in without it. */
const longestAskMilliseconds = 5000;
const roundMilliseconds = 10_000;
/** Nothing is swept at a start: whoever sees that something is wrong has time to stop it. */
const pauses = { beforeFirst: 300_000, betweenSlices: 15_000, atRest: 300_000 };

/** Throws InstallationMismatch. */
export async function watchFiles(deps: Deps, metrics: Metrics): Promise<FileWatch> {
  const { log } = deps;
  let isSettled = await settleSoon(deps);
  const holder = newId();
  let nextAt = performance.now() + pauses.beforeFirst;
  const round = async () => {
    const isDue = performance.now() >= nextAt;
    if (isDue) nextAt = performance.now() + pauses.atRest;
    // Asked anew before every slice: the storage may have been given to another database meanwhile.
    if (!isSettled || isDue) isSettled = await settleInstallation(deps);
    if (!isSettled || !isDue) return;
    metrics.count('blobs_swept', { reason: 'deleted' }, await removeOwn(deps));
    const { state, removed } = await sweepBlobs(deps, holder);
    metrics.count('blobs_swept', { reason: 'orphaned' }, removed);
    if (state === 'on') nextAt = performance.now() + pauses.betweenSlices;
  };
  const start: FileWatch['start'] = (onMismatch) => {
    const report = (error: unknown) => {
      if (error instanceof InstallationMismatch) onMismatch(error);
      else log[isSettled ? 'warn' : 'debug']('the sweep of files failed', { error });
    };
    return startLoop(roundMilliseconds, round, report);
  };
  return { start };
}

async function settleSoon(deps: Deps): Promise<boolean> {
  const settling = settleInstallation(deps);
  settling.catch(() => undefined);
  const late = sleep(longestAskMilliseconds, undefined, { ref: false }).then(() =>
    Promise.reject(new Error('it does not answer')),
  );
  late.catch(() => undefined);
  return Promise.race([settling, late]).catch((error: unknown) => {
    if (error instanceof InstallationMismatch) throw error;
    deps.log.warn('the storage could not be asked whose it is: nothing is swept until it was', {
      reason: wordsOf(error),
    });
    return false;
  });
}

/** The cause of a failure says more than its code. */
function wordsOf(error: unknown): string {
  const { cause, message } = error as Error;
  return cause instanceof Error ? cause.message : message;
}
