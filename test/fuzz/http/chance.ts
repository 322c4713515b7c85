// Repeatable random numbers: everything in a round follows from its seed.
export type Chance = {
  /** A whole number from 0 up to, not including, the limit. */
  below(limit: number): number;
  pick<T>(list: readonly T[]): T;
  happens(share: number): boolean;
  bytes(length: number): Buffer;
};

/** Mulberry32: small, fast, and good enough to choose what to break. */
export function createChance(seed: number): Chance {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  return {
    below,
    pick: (list) => list[below(list.length)] as (typeof list)[number],
    happens: (share) => next() < share,
    bytes: (length) => Buffer.from(Array.from({ length }, () => below(256))),
  };
}

/** One small change of a text: a letter added, removed, doubled, replaced, or two swapped. */
export function nudged(text: string, chance: Chance, letters: string): string {
  const at = chance.below(text.length + 1);
  const [left, right] = [text.slice(0, at), text.slice(at)];
  const letter = letters[chance.below(letters.length)] ?? '';
  return chance.pick([
    left + letter + right,
    left + right.slice(1),
    left + letter + right.slice(1),
    left + right.slice(0, 1) + right,
    left + right.slice(1, 2) + right.slice(0, 1) + right.slice(2),
    left,
    right + left,
  ]);
}

/** The bytes with one to four bits flipped. */
export function flipped(bytes: Uint8Array, chance: Chance): Buffer {
  const copy = Buffer.from(bytes);
  for (let count = chance.below(4); count >= 0 && copy.length > 0; count--) {
    const at = chance.below(copy.length);
    copy[at] = (copy[at] ?? 0) ^ (1 << chance.below(8));
  }
  return copy;
}
