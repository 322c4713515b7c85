// Notices that the data folder was moved away under a running service: open files follow it, and what is new would get lost.
import { existsSync } from 'node:fs';
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../config/config.ts';

const times = {
  /** How long a check may take. A disk that hangs is no folder that was moved away. */
  patienceMilliseconds: 1000,
  /** From the end of a check to the next. */
  restMilliseconds: 1000,
};

/**
 * The result throws if what was at its place when the service started is there no longer. A folder of the same name is another one.
 * All callers share one check, and none waits long for it: until it ends, the outcome of the last one counts.
 */
export function watchDataDir(
  { dataDir, databaseUrl }: Pick<Config, 'dataDir' | 'databaseUrl'>,
  { patienceMilliseconds, restMilliseconds } = times,
  touch: (place: string) => Promise<void> = access,
): () => Promise<void> {
  const places = [dataDir, ...(databaseUrl === undefined ? [join(dataDir, 'gatehouse.db')] : [])];
  const watched = places.filter((place) => existsSync(place));
  let outcome: Error | undefined;
  let running: Promise<unknown> | undefined;
  let nextAt = 0;
  const check = async () => {
    const missing = await findMissing(watched, touch);
    outcome = missing;
    running = undefined;
    nextAt = performance.now() + restMilliseconds;
  };
  return async () => {
    if (running === undefined && performance.now() >= nextAt)
      running = Promise.race([check(), sleep(patienceMilliseconds, undefined, { ref: false })]);
    await running;
    if (outcome !== undefined) throw outcome;
  };
}

async function findMissing(
  places: readonly string[],
  touch: (place: string) => Promise<void>,
): Promise<Error | undefined> {
  for (const place of places) {
    const cause = await touch(place).then(
      () => undefined,
      (error: NodeJS.ErrnoException) => error,
    );
    // Whatever else fails, the place may still be there.
    if (cause !== undefined && ['ENOENT', 'ENOTDIR'].includes(cause.code ?? ''))
      return Object.assign(new Error(`${place} is not at its place`, { cause }), { code: 'DATA_DIR_AWAY' });
  }
  return undefined;
}
