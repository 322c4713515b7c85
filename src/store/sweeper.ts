// Sweeps one table after the other, in batches so small that no request waits long for one.

import { type SweepTarget, sweepTargets } from './engine/sweep-targets.ts';
import type { Store } from './store.ts';

export type SweepPolicy = { readonly accessTokenLifeSeconds: number; readonly sessionLifeSeconds: number };

const rowsPerBatch = 500;
const batchesPerRound = 20;

/** Runs one round over all tables. Returns the number of removed rows by target. */
export async function sweepOnce(
  store: Pick<Store, 'call' | 'clock'>,
  policy: SweepPolicy,
): Promise<Map<SweepTarget, number>> {
  const swept = new Map<SweepTarget, number>();
  for (const target of sweepTargets) {
    for (let batch = 0; batch < batchesPerRound; batch++) {
      const count = await store.call('sweepTable', { target, now: store.clock.now(), most: rowsPerBatch, ...policy });
      if (count > 0) swept.set(target, (swept.get(target) ?? 0) + count);
      if (count < rowsPerBatch) break;
    }
  }
  return swept;
}
