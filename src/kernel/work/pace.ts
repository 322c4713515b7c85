// How background work shares a machine with requests: it works in short pieces and rests in proportion, so it uses a share of the time.
import { setTimeout as wait } from 'node:timers/promises';

export type Pace = {
  /** Of the time, for one process. The rest belongs to requests. */
  readonly share: number;
  /** How long a piece should take: a request that meets one waits no longer. */
  readonly pieceMilliseconds: number;
  /** Bounds of what one piece holds: rows, files. */
  readonly least: number;
  readonly most: number;
};

/** On a busy machine pieces take longer: they become smaller, and the pauses between them longer. */
export function pauseAfter(workedMilliseconds: number, share: number): number {
  return (workedMilliseconds * (1 - share)) / share;
}

/** What the next piece holds, after one of this size took so long. Doubles or halves at most, because one measure says little. */
export function nextSize(size: number, workedMilliseconds: number, { pieceMilliseconds, least, most }: Pace): number {
  const factor = Math.min(2, Math.max(0.5, pieceMilliseconds / Math.max(workedMilliseconds, 0.001)));
  return Math.min(most, Math.max(least, Math.round(size * factor)));
}

/** What a test replaces. `rest` ends early when `stop` is aborted. */
export type Turn = {
  readonly stop: AbortSignal;
  /** A monotonic clock in milliseconds. */
  readonly time: () => number;
  readonly rest: (milliseconds: number, stop: AbortSignal) => Promise<void>;
};

export function turnUntil(stop: AbortSignal): Turn {
  return { stop, time: () => performance.now(), rest };
}

function rest(milliseconds: number, signal: AbortSignal): Promise<void> {
  return wait(milliseconds, undefined, { signal, ref: false }).catch(() => undefined);
}

/**
 * Runs pieces of work and rests between them. Pieces that are shorter than a full one are added up, so that a look that finds nothing
 * costs no pause. Gives how long the piece took, and throws what it throws.
 */
export function createPacer(pace: Pace, { stop, time, rest }: Turn) {
  let owed = 0;
  return async <T>(piece: () => Promise<T>): Promise<{ readonly value: T; readonly milliseconds: number }> => {
    if (owed >= pace.pieceMilliseconds) {
      await rest(pauseAfter(owed, pace.share), stop);
      owed = 0;
    }
    const begun = time();
    try {
      const value = await piece();
      return { value, milliseconds: time() - begun };
    } finally {
      owed += time() - begun;
    }
  };
}

/** Repeats a piece of work while it is full, that is while it may have left some. Its size follows the time that it takes. */
export async function repeatWhileFull(
  pace: Pace,
  turn: Turn,
  piece: (size: number) => Promise<{ readonly isFull: boolean }>,
): Promise<void> {
  const paced = createPacer(pace, turn);
  for (let size = pace.least; !turn.stop.aborted; ) {
    const tried = size;
    const { value, milliseconds } = await paced(() => piece(tried));
    if (!value.isFull) return;
    size = nextSize(tried, milliseconds, pace);
  }
}
