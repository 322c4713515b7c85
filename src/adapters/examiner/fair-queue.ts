// A queue that takes items from each user in turn. A user with many files delays each other user by at most one file.

export type FairQueue<T> = {
  readonly waiting: number;
  /** How many items of this user wait. */
  waitingFor(userId: string): number;
  push(userId: string, item: T): void;
  /** The first item of the next user. Undefined if the queue is empty. */
  shift(): T | undefined;
};

export function createFairQueue<T>(): FairQueue<T> {
  // Users in the order of their turn.
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
