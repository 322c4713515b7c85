// Turns: work of a limited weight runs at once, of all and under each key. The rest waits in a fair queue.
import { createFairQueue, type FairBounds } from './fair-queue.ts';

export type TurnBounds = {
  /** The weight of all that runs at once, and of what runs under one key. Anything that runs alone may weigh more. */
  readonly most: number;
  readonly mostOfOne: number;
  readonly waiting: FairBounds;
  /** Creates the error for work that finds no place in the queue, or must give it up to others. `own`: because its key has most waiting. */
  readonly refuse: (because: 'own' | 'all') => Error;
};

export type Turns = {
  /** Waits for a turn. The caller must end it with the returned function, exactly once. */
  take(key: string, wait: (turn: Promise<void>) => Promise<void>, weight?: number): Promise<() => void>;
  /** How much of the work that runs is of this key. */
  weightOf(key: string): number;
  /** How many keys have a turn under way. Nothing is kept of the others. */
  readonly keys: number;
};

type Load = { count: number; weight: number };
type Place = { readonly key: string; readonly weight: number; hasTurn: boolean; start(): void; refuse(): void };

export function createTurns({ most, mostOfOne, waiting, refuse }: TurnBounds): Turns {
  const queue = createFairQueue<Place>(waiting);
  const all: Load = { count: 0, weight: 0 };
  const loads = new Map<string, Load>();
  const loadOf = (key: string): Load => loads.get(key) ?? { count: 0, weight: 0 };

  function change({ key, weight }: Place, by: 1 | -1): void {
    const own = loadOf(key);
    for (const load of [all, own]) {
      load.count += by;
      load.weight += by * weight;
    }
    if (own.count > 0) loads.set(key, own);
    else loads.delete(key);
  }

  /** What is too heavy now is overtaken neither by lighter work of its key nor, if all weigh too much together, by anybody. */
  function createRule(): (place: Place) => boolean {
    const held = new Set<string>();
    let isFull = false;
    return ({ key, weight }) => {
      isFull ||= !held.has(key) && !fits(all, weight, most);
      if (isFull || held.has(key)) return false;
      if (fits(loadOf(key), weight, mostOfOne)) return true;
      held.add(key);
      return false;
    };
  }

  function admit(): void {
    for (let place = next(); place !== undefined; place = next()) {
      place.hasTurn = true;
      change(place, 1);
      place.start();
    }
  }
  const next = () => queue.shift({ mayStart: createRule() });

  function end(place: Place): void {
    change(place, -1);
    admit();
  }

  return {
    take: async (key, wait, weight = 1) => {
      const turn = Promise.withResolvers<void>();
      turn.promise.catch(() => undefined);
      const place: Place = {
        key,
        weight,
        hasTurn: false,
        start: turn.resolve,
        refuse: () => turn.reject(refuse('own')),
      };
      const refusal = queue.refusal([key]);
      if (refusal !== undefined) throw refuse(refusal);
      const refused = queue.push([key], place, weight);
      refused?.refuse();
      admit();
      if (!place.hasTurn) {
        try {
          await wait(turn.promise);
        } catch (error) {
          // The turn may have come just when the wait ended. If not, those behind it may fit now.
          if (place.hasTurn) end(place);
          else if (queue.remove(place)) admit();
          throw error;
        }
      }
      return () => end(place);
    },
    weightOf: (key) => loadOf(key).weight,
    get keys() {
      return loads.size;
    },
  };
}

function fits(load: Load, weight: number, most: number): boolean {
  return load.count === 0 || load.weight + weight <= most;
}
