// Counting new events: batch after batch until one is not full, and never without end.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { countNewEvents } from '../../src/support/count-new-events.ts';
import type { DayCountStore } from '../../src/support/day-counts.ts';

function open(waiting: number) {
  let left = waiting;
  let calls = 0;
  const dayCounts = {
    countEvents: async ({ most }: { most: number }) => {
      calls += 1;
      const count = Math.min(left, most);
      left -= count;
      return count;
    },
  } as Partial<DayCountStore> as DayCountStore;
  return { deps: { dayCounts, clock: { now: () => 5 } }, calls: () => calls };
}

describe('a round of counting', () => {
  for (const [waiting, counted, calls] of [
    [0, 0, 1],
    [1999, 1999, 1],
    [2000, 2000, 2],
    [4001, 4001, 3],
    [1_000_000, 100_000, 50],
  ] as const) {
    it(`with ${waiting} events waiting it counts ${counted} in ${calls} steps`, async () => {
      const stage = open(waiting);
      assert.equal(await countNewEvents(stage.deps), counted);
      assert.equal(stage.calls(), calls);
    });
  }
});
