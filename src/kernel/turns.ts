// Turns: under each key, so many pieces of work run at once, and the next wait in the order of their arrival.

export type Turns = {
  /** Waits for a turn. The caller must end it with the returned function, exactly once. */
  take(key: string, wait: (turn: Promise<void>) => Promise<void>): Promise<() => void>;
  /** How many keys have a turn under way. Nothing is kept of the others. */
  readonly keys: number;
};

type Line = { running: number; readonly waiting: Set<() => void> };

export function createTurns(mostAtOnce: number): Turns {
  const lines = new Map<string, Line>();
  const end = (key: string, line: Line) => {
    const [next] = line.waiting;
    if (next !== undefined) {
      line.waiting.delete(next);
      next();
    } else {
      line.running -= 1;
      if (line.running === 0) lines.delete(key);
    }
  };
  return {
    take: async (key, wait) => {
      const line = lines.get(key) ?? { running: 0, waiting: new Set() };
      lines.set(key, line);
      if (line.running < mostAtOnce) line.running += 1;
      else {
        const { promise, resolve } = Promise.withResolvers<void>();
        line.waiting.add(resolve);
        try {
          await wait(promise);
        } catch (error) {
          // The turn may have come just when the wait ended.
          if (!line.waiting.delete(resolve)) end(key, line);
          throw error;
        }
      }
      return () => end(key, line);
    },
    get keys() {
      return lines.size;
    },
  };
}
