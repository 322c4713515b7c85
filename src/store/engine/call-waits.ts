// How long a call may wait for the database, and how many calls may wait: pure rules.

export type CallWaits = {
  /** From the call to its answer: the wait for its turn, the connection, all statements and all attempts. */
  readonly callMilliseconds: number;
  /** A call that has not begun after this time is refused. So a batch that begins has at least the rest of the time above. */
  readonly turnMilliseconds: number;
  /** How often the waiting calls are checked. */
  readonly tickMilliseconds: number;
  /** Of one process, for all operations together. As many as it has connections. */
  readonly mostWaiting: number;
};

export const callWaits: CallWaits = {
  callMilliseconds: 5000,
  turnMilliseconds: 3000,
  tickMilliseconds: 100,
  mostWaiting: 10_000,
};

/** The calls of one operation that wait. */
export type Queue = {
  /** Batches that may run at once, and calls in each. */
  readonly batchesAtOnce: number;
  readonly perBatch: number;
  /** Batches that run now. */
  readonly running: number;
  /** How long a batch takes: the last one that succeeded, or longer if one runs that is older. */
  readonly batchMilliseconds: number;
};

/** How many calls of one operation may wait: those whose turn comes in time. */
export function mostInQueue({ batchesAtOnce, perBatch, running, batchMilliseconds }: Queue, waits: CallWaits): number {
  const rounds = Math.floor(waits.turnMilliseconds / Math.max(batchMilliseconds, 1));
  return Math.min(waits.mostWaiting, (batchesAtOnce - running + rounds * batchesAtOnce) * perBatch);
}

/** A process that got no processor, or slept, is not the fault of the database: such a time counts as a few ticks. */
export function countedMilliseconds(elapsed: number, { tickMilliseconds }: CallWaits): number {
  return Math.min(elapsed, 3 * tickMilliseconds);
}
