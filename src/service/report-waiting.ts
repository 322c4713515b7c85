// Composition: reports that the start is waiting for the database, with cause and fix; at once, then less and less often.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../config/config.ts';
import { Failure } from '../kernel/failure.ts';
import { describeDatabaseProblem } from '../kernel/net/database-problem.ts';
import type { StartProgress } from '../kernel/process/start-progress.ts';
import type { Log } from '../kernel/process/telemetry.ts';

/** Pauses between two reports. The last one repeats. */
const pausesSeconds = [10, 20, 30, 60];

/** Prints a sentence with `say`, and logs the same as fields. */
export function createWaitReporter(
  { databaseUrl }: Pick<Config, 'databaseUrl'>,
  progress: StartProgress,
  log: Log,
  say: (text: string) => void,
  now = () => performance.now(),
): (error: Error) => void {
  let lines = 0;
  let nextAt = 0;
  return (error) => {
    if (databaseUrl === undefined) return progress.waitFor('the database', 'another process uses it');
    const { place, cause, cure } = describeDatabaseProblem(databaseUrl, error);
    progress.waitFor('the database', cause);
    if (now() < nextAt) return;
    nextAt = now() + (pausesSeconds[Math.min(lines, pausesSeconds.length - 1)] ?? 60) * 1000;
    lines += 1;
    say(`Gatehouse waits for PostgreSQL at ${place}: ${cause}. To cure it: ${cure}.`);
    log.warn('waiting for the database', { place, cause, cure, reason: error.message });
  };
}

/** Pause between two attempts. */
const retryMilliseconds = 1000;

/** Retries until the database is available, also if it becomes unavailable during the start. */
export async function retryWhileAway<T>(
  work: () => Promise<T>,
  onWait: (error: Error) => void,
  pauseMilliseconds = retryMilliseconds,
): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof Failure) || error.code !== 'SERVICE_UNAVAILABLE') throw error;
      onWait(error);
      await sleep(pauseMilliseconds);
    }
  }
}
