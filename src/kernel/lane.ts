// A lane: delivers items up to a fixed number at once, so that a slow item does not delay others. It gets them from a queue or claims them.
import { setImmediate as nextTurn } from 'node:timers/promises';

export type Lane<Item> = {
  /** Delivers items that are claimed already, in their order and before others are claimed. */
  add(items: readonly Item[]): void;
  /** Checks for due items now instead of at the next poll. */
  wake(): void;
  /** Waits for the deliveries in progress. Gives back the items that were added and have not begun. */
  stop(): Promise<void>;
};

export type LaneParts<Item> = {
  readonly mostAtOnce: number;
  readonly pollMilliseconds: number;
  /** Claims at most `most` due items. */
  readonly claim: (most: number) => Promise<readonly Item[]>;
  readonly deliver: (item: Item) => Promise<void>;
  readonly report: (error: unknown) => void;
  /** A delivery that ends may let others begin: it is followed by a claim. */
  readonly claimsAgain?: true;
  readonly giveBack?: (items: readonly Item[]) => Promise<void>;
  /** A claim found no item more: the first, and each after a call of `wake`. */
  readonly onEmpty?: () => void;
};

export function startLane<Item>(parts: LaneParts<Item>): Lane<Item> {
  const { mostAtOnce, pollMilliseconds, claim, deliver, report, claimsAgain } = parts;
  const { giveBack = async () => undefined, onEmpty = () => undefined } = parts;
  let isStopped = false;
  let isAwake = false;
  let isEmptyUntold = true;
  let wakeUp: () => void = () => undefined;
  let claiming = 0;
  const queue: Item[] = [];
  const running = new Set<Promise<void>>();
  const waitForWork = () =>
    new Promise<void>((resolve) => {
      if (isAwake || isStopped) return resolve();
      const timer = setTimeout(resolve, pollMilliseconds);
      wakeUp = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  const wake = () => {
    isAwake = true;
    isEmptyUntold = true;
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
    for (const item of queue.splice(0, Math.max(0, mostAtOnce - running.size - claiming))) start(item);
  };
  /** True if there may be more. */
  const claimSome = async (): Promise<boolean> => {
    claiming = mostAtOnce - running.size;
    if (claiming <= 0) return true;
    const isTold = !isEmptyUntold;
    const items = await claim(claiming).catch((error: unknown) => {
      report(error);
      return undefined;
    });
    const hasMore = items?.length === claiming;
    claiming = 0;
    for (const item of items ?? []) start(item);
    startQueued();
    if (items !== undefined && !hasMore && !isTold) {
      isEmptyUntold = isAwake;
      onEmpty();
    }
    return hasMore;
  };
  const loop = async () => {
    while (!isStopped) {
      isAwake = false;
      if (!(await claimSome())) await waitForWork();
      // Deliveries that end in the same turn of the event loop are replaced by one claim.
      else await Promise.race(running).then(() => nextTurn());
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
