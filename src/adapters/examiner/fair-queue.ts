// A queue that takes items from each user in turn. A user with many files delays each other user by at most one file.

export type FairQueue<T> = {
  readonly waiting: number;
  /** How many items of this user wait. */
  waitingFor(userId: string): number;
  push(userId: string, item: T): void;
  /** Takes an item out before its turn. False if it is not in the queue. */
  remove(userId: string, item: T): boolean;
  /** The first item of the next user; of one who comes last, only if no other user waits. Undefined if the queue is empty. */
  shift(comesLast?: (userId: string) => boolean): T | undefined;
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
    remove: (userId, item) => {
      const lane = lanes.get(userId);
      const at = lane?.indexOf(item) ?? -1;
      if (lane === undefined || at < 0) return false;
      lane.splice(at, 1);
      if (lane.length === 0) lanes.delete(userId);
      waiting -= 1;
      return true;
    },
    shift: (comesLast = () => false) => {
      const users = [...lanes.keys()];
      const userId = users.find((user) => !comesLast(user)) ?? users[0];
      const lane = userId === undefined ? undefined : lanes.get(userId);
      if (userId === undefined || lane === undefined) return undefined;
      lanes.delete(userId);
      const item = lane.shift();
      if (lane.length > 0) lanes.set(userId, lane);
      waiting -= 1;
      return item;
    },
  };
}
