// A turn of background work that never rests, so that a test does not wait.
import type { Turn } from '../../src/kernel/work/pace.ts';

export function withoutRests(stop = new AbortController().signal): Turn {
  return { stop, time: () => performance.now(), rest: async () => undefined };
}
