// A lane of delivery: never more at once than its limit, never blocked by slow items, and nothing left behind when it stops.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Lane, type LaneParts, startLane } from '../../../src/kernel/work/lane.ts';

const mostAtOnce = 4;

/** A lane whose items end on demand, and a queue to claim them from. */
function openLane(
  claimOne: () => void | Promise<void> = () => undefined,
  more: Pick<LaneParts<number>, 'claimsAgain'> = {},
) {
  const queue: number[] = [];
  const givenBack: number[] = [];
  let emptied = 0;
  const ends = new Map<number, (error?: Error) => void>();
  const asked: number[] = [];
  const troubles: unknown[] = [];
  const lane = startLane<number>({
    room: (running) => mostAtOnce - running,
    pollMilliseconds: 60_000,
    ...more,
    claim: async (most) => {
      await claimOne();
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
    giveBack: async (items) => void givenBack.push(...items),
    onEmpty: () => {
      emptied += 1;
    },
  });
  const add = (...items: number[]) => {
    queue.push(...items);
    lane.wake();
  };
  return { lane, add, ends, asked, troubles, givenBack, emptied: () => emptied, underWay: () => [...ends.keys()] };
}

async function settles(read: () => unknown, wanted: unknown): Promise<void> {
  for (let round = 0; round < 1000 && JSON.stringify(read()) !== JSON.stringify(wanted); round++) await sleep(5);
  assert.deepEqual(read(), wanted);
}

async function endAll(lane: Lane<number>, ends: ReadonlyMap<number, () => void>): Promise<void> {
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

it('a lane delivers items that it is given, in their order, as many at once as its limit, and claims none for them', async () => {
  const { lane, ends, asked, underWay } = openLane();
  await settles(() => asked.length, 1);
  lane.add([1, 2, 3]);
  lane.add([4, 5, 6]);
  assert.deepEqual(underWay(), [1, 2, 3, 4]);
  ends.get(2)?.();
  await settles(underWay, [1, 3, 4, 5]);
  ends.get(1)?.();
  ends.get(3)?.();
  await settles(underWay, [4, 5, 6]);
  assert.deepEqual(asked, [mostAtOnce]);
  await endAll(lane, ends);
});

it('a lane never delivers more than its limit when it is given items during a claim', async () => {
  let answer: () => void = () => undefined;
  const { lane, add, ends, underWay } = openLane(
    () =>
      new Promise((resolve) => {
        answer = resolve;
      }),
  );
  add(1, 2, 3);
  lane.add([11, 12, 13]);
  assert.deepEqual(underWay(), []);
  answer();
  await settles(underWay, [1, 2, 3, 11]);
  ends.get(1)?.();
  await settles(underWay, [2, 3, 11, 12]);
  const stopped = endAll(lane, ends);
  answer();
  await stopped;
});

it('a lane that stops gives back the items that it was given and has not begun', async () => {
  const { lane, ends, asked, givenBack, underWay } = openLane();
  await settles(() => asked.length, 1);
  lane.add([1, 2, 3, 4, 5, 6]);
  const stopped = lane.stop();
  await settles(() => givenBack, [5, 6]);
  assert.deepEqual(underWay(), [1, 2, 3, 4]);
  for (const end of [...ends.values()]) end();
  await stopped;
  assert.deepEqual(underWay(), []);
});

it('a lane whose deliveries let others begin claims again whenever one ends', async () => {
  const { lane, add, ends, asked, underWay } = openLane(undefined, { claimsAgain: true });
  add(1, 2);
  await settles(underWay, [1, 2]);
  await settles(() => asked, [mostAtOnce, mostAtOnce - 2]);
  ends.get(1)?.();
  await settles(() => asked, [mostAtOnce, mostAtOnce - 2, mostAtOnce - 1]);
  await endAll(lane, ends);
});

it('a lane tells that nothing is left: at its start, and again after each call of wake, once a claim finds no more', async () => {
  const { lane, add, ends, emptied, underWay } = openLane();
  await settles(emptied, 1);
  add(1, 2, 3, 4, 5);
  await settles(underWay, [1, 2, 3, 4]);
  assert.equal(emptied(), 1);
  ends.get(1)?.();
  await settles(underWay, [2, 3, 4, 5]);
  ends.get(2)?.();
  await settles(emptied, 2);
  lane.wake();
  await settles(emptied, 3);
  await endAll(lane, ends);
});
