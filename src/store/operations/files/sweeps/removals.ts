// The queue of bytes that must go, written by commits and emptied by workers, and the notes of files in the making, which come into it.
import {
  endRemoval,
  type PendingIds,
  type QueuedRemoval,
  queuePending,
  type RemovalId,
  takeRemoval,
} from '../../../../files/sweeps/removal-queue.ts';
import { insert, listBy, openRows, remove, update } from '../../../engine/rows.ts';
import type { Row } from '../../../engine/schema.ts';
import { sql } from '../../../engine/sql.ts';
import { statement } from '../../../engine/statement.ts';
import { operation, reading, type Transaction } from '../../../engine/transaction.ts';

/** In the commit that removes the records, after all other tables of files. An id that is queued already begins anew. */
export async function queueRemovals(transaction: Transaction, removals: Iterable<QueuedRemoval>): Promise<void> {
  const wanted = [...removals];
  const rows = await openRows(
    transaction,
    'removals',
    'id',
    wanted.map(({ id }) => id),
  );
  for (const removal of wanted) rows.put(fromRemoval(removal));
  await rows.save();
}

export const note = operation(async (transaction, inputs: readonly PendingIds[]) => {
  await remove(
    transaction,
    'pending_files',
    inputs.flatMap(({ unused }) => unused.map((id) => ({ id }))),
  );
  const noted = inputs.flatMap(({ ids, until }) => ids.map((id) => ({ id, due_at: until })));
  await insert(transaction, 'pending_files', noted);
  return inputs.map(() => undefined);
});

export const isDue = reading(async (transaction, inputs: readonly number[]): Promise<boolean[]> => {
  const outputs: boolean[] = [];
  for (const now of inputs) {
    const found = (await transaction.all(firstDue, { now })).length > 0;
    outputs.push(found || (await transaction.all(firstPending, { now })).length > 0);
  }
  return outputs;
});

type Taking = { readonly now: number; readonly most: number };

/** An id with a record is believed to be in use, whatever the queue says: nothing of it is removed. */
export const take = operation(async (transaction, inputs: readonly Taking[]): Promise<RemovalId[][]> => {
  const outputs: RemovalId[][] = [];
  const late: QueuedRemoval[] = [];
  for (const { now, most } of inputs) late.push(...(await takeLateNotes(transaction, now, most)));
  await queueRemovals(transaction, late);
  for (const { now, most } of inputs) {
    const due = await transaction.all(dueRemovals, { now, most });
    const ids = due.map(({ id }) => id);
    const files = await listBy(transaction, 'files', 'id', ids);
    const uploads = await listBy(transaction, 'resumables', 'id', ids);
    const used = new Set([...files, ...uploads.filter((row) => row.ended_at === null)].map(({ id }) => id));
    const taken = due.filter(({ id }) => !used.has(id)).map((row) => fromRemoval(takeRemoval(toRemoval(row), now)));
    await update(transaction, 'removals', taken, ['due_at', 'tries']);
    await remove(
      transaction,
      'removals',
      [...used].map((id) => ({ id })),
    );
    outputs.push(taken.map(({ id }) => id));
  }
  return outputs;
});

/** Whoever settles one of these files after this commit finds its note gone. */
async function takeLateNotes(transaction: Transaction, now: number, most: number): Promise<QueuedRemoval[]> {
  const late = await transaction.all(lateNotes, { now, most });
  await remove(
    transaction,
    'pending_files',
    late.map(({ id }) => ({ id })),
  );
  return late.map(({ id, due_at }) => queuePending(id, due_at, now));
}

type Ending = { readonly ids: readonly RemovalId[]; readonly heldSince: number; readonly now: number };

export const end = operation(async (transaction, inputs: readonly Ending[]): Promise<undefined[]> => {
  const rows = await openRows(
    transaction,
    'removals',
    'id',
    inputs.flatMap(({ ids }) => ids),
  );
  const gone = new Set<RemovalId>();
  for (const { ids, ...ending } of inputs)
    for (const id of ids) {
      const row = gone.has(id) ? undefined : rows.get(id);
      const next = row && endRemoval(toRemoval(row), ending);
      if (next !== undefined) rows.put(fromRemoval(next));
      else if (row !== undefined) gone.add(id);
    }
  await rows.save();
  await remove(
    transaction,
    'removals',
    [...gone].map((id) => ({ id })),
  );
  return inputs.map(() => undefined);
});

const firstDue = statement<{ id: string }>(
  ({ value }) => sql`select id from removals where due_at <= ${value('now')} limit 1`,
);

const firstPending = statement<{ id: string }>(
  ({ value }) => sql`select id from pending_files where due_at <= ${value('now')} limit 1`,
);

const lateNotes = statement<Row<'pending_files'>>(
  ({ all, value, lock }) => sql`select ${all('pending_files')} from pending_files where due_at <= ${value('now')}
    order by due_at, id limit ${value('most')} ${lock('skip')}`,
);

const dueRemovals = statement<Row<'removals'>>(
  ({ all, value, lock }) => sql`select ${all('removals')} from removals where due_at <= ${value('now')}
    order by due_at, id limit ${value('most')} ${lock('skip')}`,
);

function toRemoval({ id, due_at, tries, looks }: Row<'removals'>): QueuedRemoval {
  return { id, dueAt: due_at, tries, looks };
}

function fromRemoval({ id, dueAt, tries, looks }: QueuedRemoval): Row<'removals'> {
  return { id, due_at: dueAt, tries, looks };
}
