// A lane: claims due items and delivers up to a fixed number of them concurrently, so that a slow item does not delay others.
import { setImmediate as nextTurn } from 'node:timers/promises';

export type Lane = {
  /** Checks for due items now instead of at the next poll. */
  wake(): void;
  /** Waits for the deliveries in progress. */
  stop(): Promise<void>;
};

export type LaneParts<Item> = {
  readonly mostAtOnce: number;
  readonly pollMilliseconds: number;
  /** Claims at most `most` due items. */
  readonly claim: (most: number) => Promise<readonly Item[]>;
  readonly deliver: (item: Item) => Promise<void>;
  readonly report: (error: unknown) => void;
};

export function startLane<Item>({ mostAtOnce, pollMilliseconds, claim, deliver, report }: LaneParts<Item>): Lane {
  let isStopped = false;
  let isAwake = false;
  let wakeUp: () => void = () => undefined;
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
  const start = (item: Item) => {
    const delivery = deliver(item)
      .catch(report)
      .finally(() => running.delete(delivery));
    running.add(delivery);
  };
  const loop = async () => {
    while (!isStopped) {
      isAwake = false;
      const free = mostAtOnce - running.size;
      const items = await claim(free).catch((error: unknown) => {
        report(error);
        return [];
      });
      for (const item of items) start(item);
      if (items.length < free) await waitForWork();
      // Deliveries that end in the same turn of the event loop are replaced by one claim.
      else await Promise.race(running).then(() => nextTurn());
    }
    await Promise.all(running);
  };
  const ended = loop();
  return {
    wake: () => {
      isAwake = true;
      wakeUp();
    },
    stop: async () => {
      isStopped = true;
      wakeUp();
      await ended;
    },
  };
}
