// Use case: count the audit events that no node has counted yet, a batch at a time, for the overview of the admin page.
import type { Clock } from '../kernel/clock.ts';
import type { DayCountStore } from './day-counts.ts';

type Deps = { readonly dayCounts: DayCountStore; readonly clock: Clock };

const eventsPerBatch = 2000;
const batchesPerRound = 50;

/** Returns how many events it has looked at. A round ends, so that the service can stop; the next one goes on. */
export async function countNewEvents({ dayCounts, clock }: Deps): Promise<number> {
  let counted = 0;
  for (let batch = 0; batch < batchesPerRound; batch++) {
    const count = await dayCounts.countEvents({ now: clock.now(), most: eventsPerBatch });
    counted += count;
    if (count < eventsPerBatch) break;
  }
  return counted;
}
