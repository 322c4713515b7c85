// The sweep of orphan blobs (blobs without a record): its rules, and the state that the store keeps between slices and passes.
import type { FileId } from '../../kernel/ids.ts';

export const sweepRules = {
  /** A blob is removed only after every pass for this long has found it without a record. */
  apartSeconds: 86_400,
  /** Between the end of a pass and the start of the next one. */
  restSeconds: 6 * 3600,
  /** How long a node may work on a slice before another node takes over. */
  leaseSeconds: 300,
  /** If there are more orphans than `few`, and than `share` of all blobs, something is wrong and the sweep removes nothing. */
  few: 20,
  share: 0.01,
} as const;

/** Interrupted uploads and deletions leave few orphans. Many orphans mean lost records or the wrong database. */
export function areTooMany(orphans: number, blobs: number): boolean {
  return orphans > sweepRules.few && orphans > blobs * sweepRules.share;
}

export type SweepTurn = {
  readonly pass: number;
  readonly place: string;
  /** Nothing may be removed, because the last complete pass or this pass found too many orphans. */
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

/** The result of the last complete pass. */
export type LastSweep = SweepCounts & { readonly endedAt: number; readonly isStopped: boolean };

export type SweepStore = {
  /** Claims the next slice under a lease. Undefined if another holder has the lease or no pass is due. */
  claim(input: { holder: string; now: number }): Promise<SweepTurn | undefined>;
  /** Remembers orphans. Returns those that every pass for long enough has found, so that they may be removed. */
  note(input: { ids: readonly FileId[]; pass: number; now: number }): Promise<FileId[]>;
  /** Records the end of a slice. Returns 'lost' if another holder has taken over, and the result at the end of a pass. */
  advance(step: SweepStep): Promise<'lost' | 'on' | LastSweep>;
  read(): Promise<LastSweep | undefined>;
  /** Replaces the result of the last pass by the counts of an operator who has repaired the files. */
  recount(input: SweepCounts & { readonly now: number }): Promise<void>;
  forget(ids: readonly FileId[]): Promise<void>;
};
