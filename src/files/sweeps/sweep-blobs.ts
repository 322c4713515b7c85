// Use case: sweep one slice for orphan blobs. It removes those that were also orphans a day ago, and logs each one.

import type { FileDeps } from '../deps.ts';
import { removeAdrift } from '../storage/check-files.ts';
import { examineSlice, type SliceBounds } from '../storage/examine-slice.ts';
import type { LastSweep, SweepStore } from './blob-sweep.ts';

export type SweepDeps = Pick<FileDeps, 'files' | 'blobs' | 'clock' | 'log'> & { readonly sweeps: SweepStore };

/** idle: another node has the lease, or no pass is due. */
type SweepOutcome = { readonly state: 'idle' | 'on' | 'ended'; readonly removed: number };

/** Shutdown waits for the current slice, so a slice is short. The time bounds it, not the number of files. */
const usualBounds: SliceBounds = { ids: 1_000_000, findings: 200, milliseconds: 2000 };

/** If the process is killed, nothing is counted and the same slice is repeated. */
export async function sweepBlobs(deps: SweepDeps, holder: string, bounds = usualBounds): Promise<SweepOutcome> {
  const { sweeps, clock, log } = deps;
  const turn = await sweeps.claim({ holder, now: clock.now() });
  if (turn === undefined) return { state: 'idle', removed: 0 };
  const { pass, place: from, isStopped } = turn;
  const { blobs, adrift, missing, next: to } = await examineSlice(deps, from, bounds);
  const now = clock.now();
  const due = await sweeps.note({ ids: adrift, pass, now });
  const removed = isStopped
    ? []
    : await removeAdrift(deps, due, (file) => log.info('removing a blob without a record', { file }));
  await sweeps.forget(removed);
  const counts = { blobs, orphans: adrift.length, missing: missing.length };
  const step = await sweeps.advance({ ...counts, holder, pass, from, to, now });
  if (typeof step !== 'string') report(deps, step);
  return { state: step === 'lost' ? 'idle' : step === 'on' ? 'on' : 'ended', removed: removed.length };
}

function report({ log }: SweepDeps, { blobs, orphans, missing, isStopped }: LastSweep): void {
  const cure = 'see docs/runbook.md, Files and records differ';
  if (isStopped) log.warn('too many blobs have no record: none is removed', { orphans, blobs, cure });
  if (missing > 0) log.warn('records have no blob', { missing, cure });
}
