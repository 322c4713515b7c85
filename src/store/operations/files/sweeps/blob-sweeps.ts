// The sweep of blobs in the store: whose turn it is, how far it is, and which blobs were seen without a record.

import type { LastSweep, SweepCounts, SweepStep, SweepTurn } from '../../../../files/sweeps/blob-sweep.ts';
import {
  advanceSweep,
  claimSweep,
  describeSweep,
  neverSwept,
  type Orphan,
  recountSweep,
  type SweepState,
  seeOrphan,
} from '../../../../files/sweeps/sweep-rules.ts';
import type { DatedEvent } from '../../../../kernel/audit.ts';
import type { FileId } from '../../../../kernel/ids.ts';
import { openRows, type RowSet, remove } from '../../../engine/rows.ts';
import type { Row } from '../../../engine/schema.ts';
import { operation, reading, type Transaction } from '../../../engine/transaction.ts';
import { writeAudit } from '../../audit.ts';

/** The key of the only row. */
const slot = 'files';

type Claim = { readonly holder: string; readonly now: number };

export const claim = operation(async (transaction, inputs: readonly Claim[]): Promise<(SweepTurn | undefined)[]> => {
  const sweeps = await openSweeps(transaction);
  const outputs = inputs.map((input): SweepTurn | undefined => {
    const claimed = claimSweep(stateIn(sweeps) ?? neverSwept, input);
    if (claimed !== undefined) sweeps.put(fromState(claimed.state));
    return claimed?.turn;
  });
  await sweeps.save();
  return outputs;
});

export const advance = operation(
  async (transaction, inputs: readonly SweepStep[]): Promise<('lost' | 'on' | LastSweep)[]> => {
    const sweeps = await openSweeps(transaction);
    const events: DatedEvent[] = [];
    const outputs = inputs.map((step): 'lost' | 'on' | LastSweep => {
      const advanced = advanceSweep(stateIn(sweeps), step);
      if (advanced.kind === 'lost') return advanced.kind;
      sweeps.put(fromState(advanced.state));
      if (advanced.kind === 'on') return advanced.kind;
      if (advanced.event !== undefined) events.push(advanced.event);
      return advanced.found;
    });
    await sweeps.save();
    await writeAudit(transaction, events);
    return outputs;
  },
);

export const read = reading(async (transaction, inputs: readonly null[]): Promise<(LastSweep | undefined)[]> => {
  const state = stateIn(await openSweeps(transaction));
  return inputs.map(() => state && describeSweep(state));
});

export const recount = operation(
  async (transaction, inputs: readonly (SweepCounts & { now: number })[]): Promise<undefined[]> => {
    const sweeps = await openSweeps(transaction);
    for (const input of inputs) sweeps.put(fromState(recountSweep(stateIn(sweeps) ?? neverSwept, input)));
    await sweeps.save();
    return inputs.map(() => undefined);
  },
);

type Sight = { readonly ids: readonly FileId[]; readonly pass: number; readonly now: number };

/** Gives the blobs that may go. */
export const note = operation(async (transaction, inputs: readonly Sight[]): Promise<FileId[][]> => {
  const orphans = await openRows(
    transaction,
    'orphans',
    'id',
    inputs.flatMap(({ ids }) => ids),
  );
  const outputs = inputs.map(({ ids, pass, now }) =>
    ids.filter((id) => {
      const { orphan, isDue } = seeOrphan(orphanIn(orphans, id), pass, now);
      orphans.put(fromOrphan(id, orphan));
      return isDue;
    }),
  );
  await orphans.save();
  return outputs;
});

export const forget = operation(async (transaction, inputs: readonly (readonly FileId[])[]) => {
  const keys = inputs.flat().map((id) => ({ id }));
  await remove(transaction, 'orphans', keys);
  return inputs.map(() => undefined);
});

function openSweeps(transaction: Transaction): Promise<RowSet<'blob_sweeps'>> {
  return openRows(transaction, 'blob_sweeps', 'slot', [slot]);
}

function stateIn(sweeps: RowSet<'blob_sweeps'>): SweepState | undefined {
  const row = sweeps.get(slot);
  return (
    row && {
      pass: row.pass,
      place: row.place,
      startedAt: row.begun_at,
      endedAt: row.ended_at ?? undefined,
      counts: { blobs: row.blobs, orphans: row.orphans, missing: row.missing },
      last: { blobs: row.last_blobs, orphans: row.last_orphans, missing: row.last_missing },
      holder: row.holder,
      leaseUntil: row.lease_until,
    }
  );
}

function fromState({
  pass,
  place,
  startedAt,
  endedAt,
  counts,
  last,
  holder,
  leaseUntil,
}: SweepState): Row<'blob_sweeps'> {
  return {
    slot,
    pass,
    place,
    begun_at: startedAt,
    ended_at: endedAt ?? null,
    ...counts,
    last_blobs: last.blobs,
    last_orphans: last.orphans,
    last_missing: last.missing,
    holder,
    lease_until: leaseUntil,
  };
}

function orphanIn(orphans: RowSet<'orphans'>, id: FileId): Orphan | undefined {
  const row = orphans.get(id);
  return (
    row && {
      firstSeenAt: row.first_seen_at,
      firstPass: row.first_pass,
      lastPass: row.last_pass,
      keptUntil: row.sweep_at,
    }
  );
}

function fromOrphan(id: FileId, orphan: Orphan): Row<'orphans'> {
  return {
    id,
    first_seen_at: orphan.firstSeenAt,
    first_pass: orphan.firstPass,
    last_pass: orphan.lastPass,
    // Read by older versions alone, which noted here what the queue of removals has now.
    is_ours: 0,
    sweep_at: orphan.keptUntil,
  };
}
