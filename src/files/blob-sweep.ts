// The sweep of blobs without a record: its rules, and what the store must remember between two slices and two passes.

export const sweepRules = {
  /** Seen without a record for so long, in one pass after the other, before a blob goes. */
  apartSeconds: 86_400,
  /** Between the end of a pass and the next one. */
  restSeconds: 6 * 3600,
  /** So long a node may work on a slice before another takes over. */
  leaseSeconds: 300,
  /** More than these, and more than this share of all blobs, are no leftovers: something is wrong, and nothing goes. */
  few: 20,
  share: 0.01,
} as const;

/** Uploads and deletions that were cut off leave few blobs behind: many mean that records are lost, or the database is another. */
export function areTooMany(orphans: number, blobs: number): boolean {
  return orphans > sweepRules.few && orphans > blobs * sweepRules.share;
}

export type SweepTurn = {
  readonly pass: number;
  readonly place: string;
  /** Nothing may be removed: the last whole pass, or this one already, found too many. */
  readonly isStopped: boolean;
};

export type SweepCounts = { readonly blobs: number; readonly orphans: number; readonly missing: number };

export type SweepStep = SweepCounts & {
  readonly holder: string;
  readonly pass: number;
  readonly from: string;
  /** Undefined at the end of the pass. */
  readonly to: string | undefined;
  readonly now: number;
};

/** What the last whole pass found. */
export type LastSweep = SweepCounts & { readonly endedAt: number; readonly isStopped: boolean };

export type SweepStore = {
  /** The turn of this holder, under a lease; undefined where another holds it or no pass is due. */
  claim(input: { holder: string; now: number }): Promise<SweepTurn | undefined>;
  /** Remembers blobs without a record; tells those that were seen so long ago, in each pass since, that they may go. */
  note(input: { ids: readonly string[]; pass: number; now: number }): Promise<string[]>;
  /** Goes on from there; lost when another holder has taken over meanwhile. The end of a pass tells what it found. */
  advance(step: SweepStep): Promise<'lost' | 'on' | LastSweep>;
  read(): Promise<LastSweep | undefined>;
  /** What an operator has counted and put right takes the place of what the last pass found. */
  recount(input: SweepCounts & { readonly now: number }): Promise<void>;
  /** Blobs of files that were deleted here, and whose bytes could not be removed yet. */
  noteOwn(input: { ids: readonly string[]; now: number }): Promise<void>;
  listOwn(most: number): Promise<string[]>;
  forget(ids: readonly string[]): Promise<void>;
};
