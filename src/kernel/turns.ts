// Turns: under each key, work of a limited weight runs at once, and the next waits in the order of its arrival.

export type Turns = {
  /** Waits for a turn. The caller must end it with the returned function, exactly once. Anything that runs alone may weigh more. */
  take(key: string, wait: (turn: Promise<void>) => Promise<void>, weight?: number): Promise<() => void>;
  /** How many keys have a turn under way. Nothing is kept of the others. */
  readonly keys: number;
};

type Place = { readonly weight: number; readonly start: () => void };
type Line = { running: number; weight: number; readonly waiting: Set<Place> };

export function createTurns(mostWeight: number): Turns {
  const lines = new Map<string, Line>();
  const fits = (line: Line, weight: number) => line.running === 0 || line.weight + weight <= mostWeight;
  const begin = (line: Line, weight: number) => {
    line.running += 1;
    line.weight += weight;
  };
  const end = (key: string, line: Line, weight: number) => {
    line.running -= 1;
    line.weight -= weight;
    admit(line);
    if (line.running === 0) lines.delete(key);
  };
  const admit = (line: Line) => {
    for (const place of line.waiting) {
      if (!fits(line, place.weight)) return;
      line.waiting.delete(place);
      begin(line, place.weight);
      place.start();
    }
  };
  return {
    take: async (key, wait, weight = 1) => {
      const line = lines.get(key) ?? { running: 0, weight: 0, waiting: new Set() };
      lines.set(key, line);
      if (line.waiting.size === 0 && fits(line, weight)) begin(line, weight);
      else {
        const { promise, resolve } = Promise.withResolvers<void>();
        const place = { weight, start: resolve };
        line.waiting.add(place);
        try {
          await wait(promise);
        } catch (error) {
          // The turn may have come just when the wait ended. If not, those behind it may fit now.
          if (line.waiting.delete(place)) admit(line);
          else end(key, line, weight);
          throw error;
        }
      }
      return () => end(key, line, weight);
    },
    get keys() {
      return lines.size;
    },
  };
}
