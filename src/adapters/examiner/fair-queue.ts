// A queue of bounded length that takes from each person in turn: one with many files delays the others by one file at most.

export type FairQueue<T> = {
  readonly waiting: number;
  /** How many wait for this person. */
  waitingFor(userId: string): number;
  push(userId: string, item: T): void;
  /** The next person's first; undefined when nothing waits. */
  shift(): T | undefined;
};

export function createFairQueue<T>(): FairQueue<T> {
  // People in the order of their turn.
  const lanes = new Map<string, T[]>();
  let waiting = 0;
  return {
    get waiting() {
      return waiting;
    },
    waitingFor: (userId) => lanes.get(userId)?.length ?? 0,
    push: (userId, item) => {
      const lane = lanes.get(userId);
      if (lane === undefined) lanes.set(userId, [item]);
      else lane.push(item);
      waiting += 1;
    },
    shift: () => {
      const next = lanes.entries().next().value;
      if (next === undefined) return undefined;
      const [userId, lane] = next;
      lanes.delete(userId);
      const item = lane.shift();
      if (lane.length > 0) lanes.set(userId, lane);
      waiting -= 1;
      return item;
    },
  };
}
