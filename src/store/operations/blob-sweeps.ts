// The sweep of blobs in the store: whose turn it is, how far it is, and which blobs were seen without a record.
import {
  areTooMany,
  type LastSweep,
  type SweepCounts,
  type SweepStep,
  type SweepTurn,
  sweepRules,
} from '../../files/blob-sweep.ts';
import { openRows, remove } from '../engine/rows.ts';
import type { Row } from '../engine/schema.ts';
import { sql } from '../engine/sql.ts';
import { statement } from '../engine/statement.ts';
import { operation, reading } from '../engine/transaction.ts';
import { type DatedEvent, writeAudit } from './audit.ts';

/** The key of the only row. */
const slot = 'files';
/** What nobody has seen for so long is forgotten: its blob is gone, or has a record again. */
const keptMilliseconds = 30 * 86_400_000;

const nothing = { blobs: 0, orphans: 0, missing: 0 };
const neverSwept: Row<'blob_sweeps'> = {
  slot,
  pass: 0,
  place: '',
  begun_at: 0,
  ended_at: 0,
  ...nothing,
  last_blobs: 0,
  last_orphans: 0,
  last_missing: 0,
  holder: '',
  lease_until: 0,
};

type Claim = { readonly holder: string; readonly now: number };

export const claimBlobSweep = operation(
  async (transaction, inputs: readonly Claim[]): Promise<(SweepTurn | undefined)[]> => {
    const sweeps = await openRows(transaction, 'blob_sweeps', 'slot', [slot]);
    const outputs = inputs.map(({ holder, now }): SweepTurn | undefined => {
      const row = sweeps.get(slot) ?? neverSwept;
      if (row.holder !== holder && isAhead(row.lease_until, now, sweepRules.leaseSeconds)) return undefined;
      const restUntil = row.ended_at === null ? 0 : row.ended_at + sweepRules.restSeconds * 1000;
      if (isAhead(restUntil, now, sweepRules.restSeconds)) return undefined;
      const current =
        row.ended_at === null
          ? row
          : { ...row, ...nothing, pass: row.pass + 1, place: '', begun_at: now, ended_at: null };
      sweeps.put({ ...current, holder, lease_until: now + sweepRules.leaseSeconds * 1000 });
      return { pass: current.pass, place: current.place, isStopped: isStopped(current) };
    });
    await sweeps.save();
    return outputs;
  },
);

/** A time further ahead than it can have been set was set by a clock that has gone back since: it holds nobody up. */
function isAhead(time: number, now: number, mostSeconds: number): boolean {
  return time > now && time <= now + mostSeconds * 1000;
}

/** What this pass has found so far is held against all blobs that the last one saw. */
function isStopped(row: Row<'blob_sweeps'>): boolean {
  const soFar = row.ended_at === null && areTooMany(row.orphans, Math.max(row.blobs, row.last_blobs));
  return soFar || areTooMany(row.last_orphans, row.last_blobs);
}

export const advanceBlobSweep = operation(
  async (transaction, inputs: readonly SweepStep[]): Promise<('lost' | 'on' | LastSweep)[]> => {
    const sweeps = await openRows(transaction, 'blob_sweeps', 'slot', [slot]);
    const events: DatedEvent[] = [];
    const outputs = inputs.map((step): 'lost' | 'on' | LastSweep => {
      const { holder, pass, from, to, now } = step;
      const row = sweeps.get(slot);
      const isHeld = row?.holder === holder && row.pass === pass && row.place === from && row.ended_at === null;
      if (row === undefined || !isHeld) return 'lost';
      const on = {
        ...row,
        blobs: row.blobs + step.blobs,
        orphans: row.orphans + step.orphans,
        missing: row.missing + step.missing,
      };
      if (to !== undefined) {
        sweeps.put({ ...on, place: to, lease_until: now + sweepRules.leaseSeconds * 1000 });
        return 'on';
      }
      const last = { last_blobs: on.blobs, last_orphans: on.orphans, last_missing: on.missing };
      const ended = { ...on, ...last, ended_at: now, holder: '', lease_until: 0 };
      sweeps.put(ended);
      if (isStopped(ended) && !areTooMany(row.last_orphans, row.last_blobs))
        events.push({ kind: 'sweep.stopped', detail: { blobs: on.blobs, orphans: on.orphans }, now });
      return toLast(ended);
    });
    await sweeps.save();
    await writeAudit(transaction, events);
    return outputs;
  },
);

export const readBlobSweep = reading(
  async (transaction, inputs: readonly null[]): Promise<(LastSweep | undefined)[]> => {
    const row = (await openRows(transaction, 'blob_sweeps', 'slot', [slot])).get(slot);
    return inputs.map(() => row && toLast(row));
  },
);

function toLast(row: Row<'blob_sweeps'>): LastSweep {
  return {
    blobs: row.last_blobs,
    orphans: row.last_orphans,
    missing: row.last_missing,
    endedAt: row.ended_at ?? row.begun_at,
    isStopped: isStopped(row),
  };
}

export const recountBlobSweep = operation(
  async (transaction, inputs: readonly (SweepCounts & { now: number })[]): Promise<undefined[]> => {
    const sweeps = await openRows(transaction, 'blob_sweeps', 'slot', [slot]);
    for (const { blobs, orphans, missing, now } of inputs) {
      const row = sweeps.get(slot) ?? neverSwept;
      const last = { last_blobs: blobs, last_orphans: orphans, last_missing: missing };
      // A pass that was under way has counted what is no longer there: it ends.
      sweeps.put({ ...row, ...last, ended_at: now, holder: '', lease_until: 0 });
    }
    await sweeps.save();
    return inputs.map(() => undefined);
  },
);

type Sight = { readonly ids: readonly string[]; readonly pass: number; readonly now: number };

/** Seen in this pass and in the one before it, and so on back to the first time: one that was missed out begins anew. */
export const noteOrphans = operation(async (transaction, inputs: readonly Sight[]): Promise<string[][]> => {
  const orphans = await openRows(
    transaction,
    'orphans',
    'id',
    inputs.flatMap(({ ids }) => ids),
  );
  const outputs = inputs.map(({ ids, pass, now }) =>
    ids.filter((id) => {
      const known = orphans.get(id);
      const isSequel = known !== undefined && known.last_pass >= pass - 1;
      const first = isSequel ? known : { first_seen_at: now, first_pass: pass };
      const { first_seen_at, first_pass } = first;
      const is_ours = known?.is_ours ?? 0;
      orphans.put({ id, first_seen_at, first_pass, last_pass: pass, is_ours, sweep_at: now + keptMilliseconds });
      return first_pass < pass && first_seen_at <= now - sweepRules.apartSeconds * 1000;
    }),
  );
  await orphans.save();
  return outputs;
});

export const noteOwnOrphans = operation(
  async (transaction, inputs: readonly { ids: readonly string[]; now: number }[]): Promise<undefined[]> => {
    const all = inputs.flatMap(({ ids, now }) => ids.map((id) => ({ id, now })));
    const orphans = await openRows(
      transaction,
      'orphans',
      'id',
      all.map(({ id }) => id),
    );
    for (const { id, now } of all) {
      const known = orphans.get(id) ?? { id, first_seen_at: now, first_pass: 0, last_pass: 0 };
      orphans.put({ ...known, is_ours: 1, sweep_at: now + keptMilliseconds });
    }
    await orphans.save();
    return inputs.map(() => undefined);
  },
);

export const listOwnOrphans = reading(async (transaction, inputs: readonly number[]): Promise<string[][]> => {
  const outputs: string[][] = [];
  for (const most of inputs) outputs.push((await transaction.all(ownOrphans, { most })).map(({ id }) => id));
  return outputs;
});

export const forgetOrphans = operation(async (transaction, inputs: readonly (readonly string[])[]) => {
  const keys = inputs.flat().map((id) => ({ id }));
  await remove(transaction, 'orphans', keys);
  return inputs.map(() => undefined);
});

const ownOrphans = statement<{ id: string }>(
  ({ value }) => sql`select id from orphans where is_ours = 1 order by id limit ${value('most')}`,
);
