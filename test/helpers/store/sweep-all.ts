// Runs one round of the sweeper without pauses, and gives how many rows it removed by target. A failing target fails the test.
import type { SweepTarget } from '../../../src/store/engine/sweep-targets.ts';
import type { Store } from '../../../src/store/store.ts';
import { sweepOnce } from '../../../src/store/sweeper.ts';

export async function sweepAll(
  store: Pick<Store, 'call' | 'ping' | 'clock'>,
  now = store.clock.now(),
): Promise<Map<SweepTarget, number>> {
  const swept = new Map<SweepTarget, number>();
  const turn = { stop: new AbortController().signal, time: () => performance.now(), rest: async () => undefined };
  await sweepOnce({ ...store, clock: { now: () => now } }, { accessTokenLifeSeconds: 900 }, turn, {
    onSwept: (target, count) => void swept.set(target, (swept.get(target) ?? 0) + count),
    onFailure: (_, error) => {
      throw error;
    },
  });
  return swept;
}
