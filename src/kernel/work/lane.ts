// A lane: delivers as many items at once as there is room for, so that a slow item delays no other. It gets them from a queue or claims them.
import { setImmediate as nextTurn } from 'node:timers/promises';

export type Lane<Item> = {
  /** Delivers items that are claimed already, in their order and before others are claimed. Gives them back while it is shut. */
  add(items: readonly Item[]): void;
  /** Checks for due items now instead of at the next poll. */
  wake(): void;
  /** Waits for the deliveries in progress. Gives back the items that were added and have not begun. */
  stop(): Promise<void>;
};

export type LaneParts<Item> = {
  /** How many more may begin, while so many are under way. */
  readonly room: (running: number) => number;
  /** Milliseconds until there may be room although no delivery has ended. Without it, only an end makes room. */
  readonly rest?: () => number;
  /** Nothing begins for now, except for single items: what waits in memory is given back. */
  readonly isShut?: () => boolean;
  readonly pollMilliseconds: number;
  /** Claims at most `most` due items. */
  readonly claim: (most: number) => Promise<readonly Item[]>;
  readonly deliver: (item: Item) => Promise<void>;
  readonly report: (error: unknown) => void;
  /** A delivery that ends may let others begin: it is followed by a claim. */
  readonly claimsAgain?: true;
  readonly giveBack?: (items: readonly Item[]) => Promise<void>;
  /** A claim found no item more: the first, and each after a call of `wake` or a time in which the lane was shut. */
  readonly onEmpty?: () => void;
};

export function startLane<Item>(parts: LaneParts<Item>): Lane<Item> {
  const { room, rest, isShut = () => false, pollMilliseconds, claim, deliver, report, claimsAgain } = parts;
  const { giveBack = async () => undefined, onEmpty = () => undefined } = parts;
  let isStopped = false;
  let isAwake = false;
  let reportsEmpty = true;
  let wakeUp: () => void = () => undefined;
  let claiming = 0;
  const queue: Item[] = [];
  const running = new Set<Promise<void>>();
  const waitForWork = (milliseconds = pollMilliseconds) =>
    new Promise<void>((resolve) => {
      if (isAwake || isStopped) return resolve();
      const timer = setTimeout(resolve, milliseconds);
      wakeUp = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  const wake = () => {
    isAwake = true;
    reportsEmpty = true;
    wakeUp();
  };
  const start = (item: Item) => {
    const delivery = deliver(item)
      .catch(report)
      .finally(() => {
        running.delete(delivery);
        if (queue.length > 0) startQueued();
        if (claimsAgain) wake();
      });
    running.add(delivery);
  };
  const startQueued = () => {
    if (isStopped) return;
    for (const item of queue.splice(0, Math.max(0, room(running.size) - claiming))) start(item);
    if (queue.length > 0 && isShut()) giveBackQueue();
  };
  const giveBackQueue = () => {
    reportsEmpty = true;
    giveBack(queue.splice(0)).catch(report);
  };
  /** True if there may be more. */
  const claimSome = async (): Promise<boolean> => {
    if (isShut()) {
      reportsEmpty = true;
      if (queue.length > 0) giveBackQueue();
    }
    claiming = Math.max(0, room(running.size));
    if (claiming === 0) return true;
    const wasReported = !reportsEmpty;
    const items = await claim(claiming).catch((error: unknown) => {
      report(error);
      return undefined;
    });
    const hasMore = items?.length === claiming;
    claiming = 0;
    for (const item of items ?? []) start(item);
    startQueued();
    if (items !== undefined && !hasMore && !wasReported) {
      reportsEmpty = isAwake;
      onEmpty();
    }
    return hasMore;
  };
  /** Deliveries that end in the same turn of the event loop are replaced by one claim. */
  const waitForRoom = async () => {
    const rested = rest === undefined ? [] : [waitForWork(Math.min(pollMilliseconds, rest()))];
    await Promise.race([...running, ...rested]);
    wakeUp();
    await nextTurn();
  };
  const loop = async () => {
    while (!isStopped) {
      isAwake = false;
      if (!(await claimSome())) await waitForWork();
      else await waitForRoom();
    }
    await Promise.all(running);
  };
  const ended = loop();
  return {
    add: (items) => {
      queue.push(...items);
      startQueued();
    },
    wake,
    stop: async () => {
      isStopped = true;
      wakeUp();
      const left = queue.splice(0);
      await Promise.all([ended, left.length === 0 ? undefined : giveBack(left).catch(report)]);
    },
  };
}
