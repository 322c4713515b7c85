// A lane: takes what is due and lets so many be under way at once; one that is slow keeps none of the others.
import { setImmediate as nextTurn } from 'node:timers/promises';

export type Lane = {
  /** Something may be due. */
  wake(): void;
  /** Lets what is under way end. */
  stop(): Promise<void>;
};

export type LaneParts<Item> = {
  readonly mostAtOnce: number;
  readonly pollMilliseconds: number;
  /** At most so many of those that are due. */
  readonly claim: (most: number) => Promise<readonly Item[]>;
  readonly deliver: (item: Item) => Promise<void>;
  readonly report: (error: unknown) => void;
};

export function startLane<Item>({ mostAtOnce, pollMilliseconds, claim, deliver, report }: LaneParts<Item>): Lane {
  let isStopped = false;
  let isAwake = false;
  let wakeUp: () => void = () => undefined;
  const underWay = new Set<Promise<void>>();
  const rest = () =>
    new Promise<void>((resolve) => {
      if (isAwake || isStopped) return resolve();
      const timer = setTimeout(resolve, pollMilliseconds);
      wakeUp = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  const begin = (item: Item) => {
    const ended = deliver(item)
      .catch(report)
      .finally(() => underWay.delete(ended));
    underWay.add(ended);
  };
  const loop = async () => {
    while (!isStopped) {
      isAwake = false;
      const room = mostAtOnce - underWay.size;
      const items = await claim(room).catch((error: unknown) => {
        report(error);
        return [];
      });
      for (const item of items) begin(item);
      if (items.length < room) await rest();
      // Those that end in one turn of the loop make room together.
      else await Promise.race(underWay).then(() => nextTurn());
    }
    await Promise.all(underWay);
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
