// Waits for something that happens soon, without a fixed pause: asks often, and gives up with a sentence only when it surely never comes.
import { setTimeout as sleep } from 'node:timers/promises';

/** Far beyond what a busy machine needs: no result depends on it. */
const patienceMilliseconds = 60_000;

/** Returns the first result that is neither false nor undefined. */
export async function waitUntil<Result>(
  what: string | (() => string),
  look: () => Result | Promise<Result>,
  everyMilliseconds = 10,
): Promise<Exclude<Awaited<Result>, false | undefined>> {
  const end = performance.now() + patienceMilliseconds;
  for (;;) {
    const found = await look();
    if (found !== false && found !== undefined) return found as Exclude<Awaited<Result>, false | undefined>;
    if (performance.now() > end) {
      const wanted = typeof what === 'string' ? what : what();
      throw new Error(`waited ${patienceMilliseconds / 1000} s in vain: ${wanted}`);
    }
    await sleep(everyMilliseconds);
  }
}
