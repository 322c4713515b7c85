// A lane of delivery: never more at once than its limit, never blocked by slow items, and nothing left behind when it stops.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Lane, startLane } from '../../src/messages/lane.ts';

const mostAtOnce = 4;

/** A lane whose items end on demand, and a queue to claim them from. */
function openLane(claimOne: () => void = () => undefined) {
  const queue: number[] = [];
  const ends = new Map<number, (error?: Error) => void>();
  const asked: number[] = [];
  const troubles: unknown[] = [];
  const lane = startLane<number>({
    mostAtOnce,
    pollMilliseconds: 60_000,
    claim: async (most) => {
      claimOne();
      asked.push(most);
      return queue.splice(0, most);
    },
    deliver: (item) =>
      new Promise((resolve, reject) => {
        ends.set(item, (error) => {
          ends.delete(item);
          if (error === undefined) resolve();
          else reject(error);
        });
      }),
    report: (error) => troubles.push(error),
  });
  const add = (...items: number[]) => {
    queue.push(...items);
    lane.wake();
  };
  return { lane, add, ends, asked, troubles, underWay: () => [...ends.keys()] };
}

async function settles(read: () => unknown, wanted: unknown): Promise<void> {
  for (let round = 0; round < 1000 && JSON.stringify(read()) !== JSON.stringify(wanted); round++) await sleep(5);
  assert.deepEqual(read(), wanted);
}

async function endAll(lane: Lane, ends: ReadonlyMap<number, () => void>): Promise<void> {
  const stopped = lane.stop();
  for (const end of [...ends.values()]) end();
  await stopped;
}

it('a lane starts as many items as its limit, and the next one as soon as one ends, while a slow one goes on', async () => {
  const { lane, add, ends, underWay } = openLane();
  add(1, 2, 3, 4, 5, 6, 7);
  await settles(underWay, [1, 2, 3, 4]);
  ends.get(3)?.();
  await settles(underWay, [1, 2, 4, 5]);
  ends.get(2)?.();
  ends.get(4)?.();
  await settles(underWay, [1, 5, 6, 7]);
  await endAll(lane, ends);
});

it('a lane claims once for items that end together', async () => {
  const { lane, add, ends, asked, underWay } = openLane();
  add(1, 2, 3, 4, 5, 6, 7, 8);
  await settles(underWay, [1, 2, 3, 4]);
  const before = asked.length;
  for (const end of [...ends.values()]) end();
  await settles(underWay, [5, 6, 7, 8]);
  assert.deepEqual(asked.slice(before), [mostAtOnce]);
  await endAll(lane, ends);
});

it('a lane starts new items while others are under way', async () => {
  const { lane, add, ends, underWay } = openLane();
  add(1);
  await settles(underWay, [1]);
  add(2);
  await settles(underWay, [1, 2]);
  await endAll(lane, ends);
});

it('a lane reports a delivery or a claim that fails, and goes on', async () => {
  let failures = 1;
  const { lane, add, ends, troubles, underWay } = openLane(() => {
    if (failures-- > 0) throw new Error('no store');
  });
  await settles(() => troubles.length, 1);
  add(1, 2);
  await settles(underWay, [1, 2]);
  ends.get(1)?.(new Error('no luck'));
  await settles(() => troubles.map(String), ['Error: no store', 'Error: no luck']);
  add(3);
  await settles(underWay, [2, 3]);
  await endAll(lane, ends);
});

it('a lane starts nothing once it is stopping, and ends when everything under way has ended', async () => {
  const { lane, add, ends, underWay } = openLane();
  add(1, 2, 3, 4, 5);
  await settles(underWay, [1, 2, 3, 4]);
  let isOver = false;
  const stopped = lane.stop().then(() => {
    isOver = true;
  });
  ends.get(1)?.();
  await sleep(20);
  assert.deepEqual([underWay(), isOver], [[2, 3, 4], false]);
  for (const end of [...ends.values()]) end();
  await stopped;
});
