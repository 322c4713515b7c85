// Sweeps one table after the other, in batches so small that no request waits behind one.

import type { Store } from './store.ts';
import { type Broom, brooms } from './sweep-targets.ts';

export type SweepPolicy = { readonly accessTokenLifeSeconds: number; readonly sessionLifeSeconds: number };

const rowsPerBatch = 500;
const batchesPerRound = 20;

/** One round over all tables; how many rows went, by broom. */
export async function sweepOnce(
  store: Pick<Store, 'call' | 'clock'>,
  policy: SweepPolicy,
): Promise<Map<Broom, number>> {
  const swept = new Map<Broom, number>();
  for (const broom of brooms) {
    for (let batch = 0; batch < batchesPerRound; batch++) {
      const count = await store.call('sweepTable', { broom, now: store.clock.now(), most: rowsPerBatch, ...policy });
      if (count > 0) swept.set(broom, (swept.get(broom) ?? 0) + count);
      if (count < rowsPerBatch) break;
    }
  }
  return swept;
}
