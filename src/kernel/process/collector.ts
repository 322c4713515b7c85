// The garbage collector of the engine as a function, for the few places that know better than the engine when garbage is there.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

export type Collect = (
  options: { type: 'minor' } | { type: 'major'; execution: 'sync'; flavor: 'last-resort' },
) => void;

/**
 * Node offers it only with a flag. The flag has an effect on new contexts, so no other code sees the function. All threads share the flag:
 * undefined if another one has just taken it back.
 */
export function findCollector(): Collect | undefined {
  setFlagsFromString('--expose-gc');
  const found = runInNewContext('globalThis.gc') as Collect | undefined;
  setFlagsFromString('--no-expose-gc');
  return found;
}
