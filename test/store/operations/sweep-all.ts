// Runs one round of the sweeper without pauses, and gives how many rows it removed by target. A failing target fails the test.
import type { SweepTarget } from '../../../src/store/engine/sweep-targets.ts';
import type { Store } from '../../../src/store/store.ts';
import { sweepOnce } from '../../../src/store/sweeper.ts';
import { withoutRests } from '../../helpers/without-rests.ts';

export async function sweepAll(
  store: Pick<Store, 'kind' | 'call' | 'ping' | 'clock'>,
  now = store.clock.now(),
): Promise<Map<SweepTarget, number>> {
  const swept = new Map<SweepTarget, number>();
  await sweepOnce({ ...store, clock: { now: () => now } }, { accessTokenLifeSeconds: 900 }, withoutRests(), {
    onSwept: (target, count) => void swept.set(target, (swept.get(target) ?? 0) + count),
    onFailure: (_, error) => {
      throw error;
    },
  });
  return swept;
}
