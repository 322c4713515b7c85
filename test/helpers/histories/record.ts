// Records the calls of several clients that act at the same time, with the moments at which each call was made and answered.
import type { HistoryCall } from './linearizability.ts';

/** A number from 0 to below 1, the same sequence for the same seed (mulberry32). */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export type Random = ReturnType<typeof createRandom>;

export function pickOne<T>(random: Random, list: readonly T[]): T | undefined {
  return list[Math.floor(random() * list.length)];
}

/** One of the values, the more often the greater its weight. */
export function pickWeighted<T extends string>(random: Random, weights: Readonly<Record<T, number>>): T {
  const entries = Object.entries(weights) as [T, number][];
  let left = random() * entries.reduce((sum, [, weight]) => sum + weight, 0);
  for (const [value, weight] of entries) {
    left -= weight;
    if (left < 0) return value;
  }
  throw new Error('no weights');
}

export type Recorder<Input, Output> = {
  readonly calls: HistoryCall<Input, Output>[];
  record(input: Input, act: () => Promise<Output>): Promise<Output>;
};

export function createRecorder<Input, Output>(now: () => number): Recorder<Input, Output> {
  const calls: HistoryCall<Input, Output>[] = [];
  return {
    calls,
    record: async (input, act) => {
      const calledAt = now();
      const output = await act();
      calls.push({ input, output, calledAt, returnedAt: now() });
      return output;
    },
  };
}
