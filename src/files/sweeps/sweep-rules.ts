// The rules of the blob sweep: which node sweeps, what a step changes, when too many blobs have no record, and which are removed.
import type { DatedEvent } from '../../kernel/audit.ts';
import {
  areTooMany,
  type LastSweep,
  type SweepCounts,
  type SweepStep,
  type SweepTurn,
  sweepRules,
} from './blob-sweep.ts';

/** The state of the sweep. `endedAt` is undefined during a pass. */
export type SweepState = {
  readonly pass: number;
  readonly place: string;
  readonly startedAt: number;
  readonly endedAt: number | undefined;
  /** Of this pass so far. */
  readonly counts: SweepCounts;
  /** Of the last complete pass. */
  readonly last: SweepCounts;
  readonly holder: string;
  readonly leaseUntil: number;
};

const nothing: SweepCounts = { blobs: 0, orphans: 0, missing: 0 };

export const neverSwept: SweepState = {
  pass: 0,
  place: '',
  startedAt: 0,
  endedAt: 0,
  counts: nothing,
  last: nothing,
  holder: '',
  leaseUntil: 0,
};

/** Continues the pass, or starts the next one; undefined if another node sweeps or no pass is due. */
export function claimSweep(
  state: SweepState,
  { holder, now }: { holder: string; now: number },
): { readonly state: SweepState; readonly turn: SweepTurn } | undefined {
  if (state.holder !== holder && isAhead(state.leaseUntil, now, sweepRules.leaseSeconds)) return undefined;
  const restUntil = (state.endedAt ?? Number.NEGATIVE_INFINITY) + sweepRules.restSeconds * 1000;
  if (isAhead(restUntil, now, sweepRules.restSeconds)) return undefined;
  const current: SweepState =
    state.endedAt === undefined
      ? state
      : { ...state, counts: nothing, pass: state.pass + 1, place: '', startedAt: now, endedAt: undefined };
  return {
    state: { ...current, holder, leaseUntil: leaseFrom(now) },
    turn: { pass: current.pass, place: current.place, isStopped: isStopped(current) },
  };
}

/** A time too far in the future comes from a clock that was set back since. It blocks no node. */
function isAhead(time: number, now: number, mostSeconds: number): boolean {
  return time > now && time <= now + mostSeconds * 1000;
}

/** What this pass has found so far is compared with all blobs that the last one saw. */
function isStopped({ endedAt, counts, last }: SweepState): boolean {
  const hasTooMany = endedAt === undefined && areTooMany(counts.orphans, Math.max(counts.blobs, last.blobs));
  return hasTooMany || areTooMany(last.orphans, last.blobs);
}

type AdvancedSweep =
  /** Another node has taken over. */
  | { readonly kind: 'lost' }
  | { readonly kind: 'on'; readonly state: SweepState }
  | {
      readonly kind: 'ended';
      readonly state: SweepState;
      readonly found: LastSweep;
      /** Audited when a pass is the first to find too many. */
      readonly event: DatedEvent | undefined;
    };

export function advanceSweep(state: SweepState | undefined, step: SweepStep): AdvancedSweep {
  const { holder, pass, from, to, now } = step;
  if (state === undefined) return { kind: 'lost' };
  const isHeld = state.holder === holder && state.pass === pass && state.place === from && state.endedAt === undefined;
  if (!isHeld) return { kind: 'lost' };
  const counts = {
    blobs: state.counts.blobs + step.blobs,
    orphans: state.counts.orphans + step.orphans,
    missing: state.counts.missing + step.missing,
  };
  if (to !== undefined) return { kind: 'on', state: { ...state, counts, place: to, leaseUntil: leaseFrom(now) } };
  const ended = endPass({ ...state, counts }, counts, now);
  const isNew = isStopped(ended) && !areTooMany(state.last.orphans, state.last.blobs);
  const detail = { blobs: counts.blobs, orphans: counts.orphans };
  const event: DatedEvent | undefined = isNew ? { kind: 'sweep.stopped', detail, now } : undefined;
  return { kind: 'ended', state: ended, found: describeSweep(ended), event };
}

/** The count of an operator replaces the last one. It ends a running pass, whose count is outdated. */
export function recountSweep(
  state: SweepState,
  { blobs, orphans, missing, now }: SweepCounts & { readonly now: number },
): SweepState {
  return endPass(state, { blobs, orphans, missing }, now);
}

function endPass(state: SweepState, last: SweepCounts, now: number): SweepState {
  return { ...state, last, endedAt: now, holder: '', leaseUntil: 0 };
}

export function describeSweep(state: SweepState): LastSweep {
  return { ...state.last, endedAt: state.endedAt ?? state.startedAt, isStopped: isStopped(state) };
}

function leaseFrom(now: number): number {
  return now + sweepRules.leaseSeconds * 1000;
}

/** A blob without a record: when and in which pass it was first and last seen so. */
export type Orphan = {
  readonly firstSeenAt: number;
  readonly firstPass: number;
  readonly lastPass: number;
  /** Removed from the list: its blob is gone, or has a record again. */
  readonly keptUntil: number;
};

const keptSeconds = 30 * 86_400;

/** Starts over if a pass in between did not see it. It may be removed if an earlier pass saw it long enough ago. */
export function seeOrphan(
  known: Orphan | undefined,
  pass: number,
  now: number,
): { readonly orphan: Orphan; readonly isDue: boolean } {
  const isSequel = known !== undefined && known.lastPass >= pass - 1;
  const { firstSeenAt, firstPass } = isSequel ? known : { firstSeenAt: now, firstPass: pass };
  return {
    orphan: { firstSeenAt, firstPass, lastPass: pass, keptUntil: now + keptSeconds * 1000 },
    isDue: firstPass < pass && firstSeenAt <= now - sweepRules.apartSeconds * 1000,
  };
}
