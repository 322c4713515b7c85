// Turns for tests: without bounds but those that the test names, and a book of who has one.
import { createTurns, type TurnBounds, type Turns } from '../../src/kernel/work/turns.ts';

export const patiently = (turn: Promise<void>) => turn;

export const turnsOf = (bounds: Partial<TurnBounds>) =>
  createTurns({
    most: Number.POSITIVE_INFINITY,
    mostOfOne: Number.POSITIVE_INFINITY,
    waiting: { most: 100, mostOfOne: 100 },
    refuse: () => new Error('too many wait'),
    ...bounds,
  });

/** Lets every promise that can settle do so. */
export const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Takes turns and writes down who has one, and how to end it. */
export function createBook(turns: Turns) {
  const has: string[] = [];
  const ends = new Map<string, () => void>();
  const take = (who: string, key = 'key', wait = patiently) =>
    turns.take(key, wait).then((end) => {
      has.push(who);
      ends.set(who, end);
    });
  const end = (who: string) => {
    ends.get(who)?.();
    ends.delete(who);
  };
  return { has, take, end };
}
