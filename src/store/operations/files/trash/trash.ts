// The trash in the store, and the sweep of files whose time is over. Every change locks the usage of the owner first.

import { type OwnerRefusal, refuseOwner } from '../../../../files/owner-state.ts';
import type { Quota } from '../../../../files/quota.ts';
import type { StoredFile } from '../../../../files/stored-file.ts';
import { type QueuedRemoval, queueFileRemoval } from '../../../../files/sweeps/removal-queue.ts';
import type { TrashedFile, TrashPlace } from '../../../../files/trash/trash.ts';
import {
  judgeRemoval,
  judgeRestore,
  judgeSweep,
  type Removal,
  toTrashed,
} from '../../../../files/trash/trash-rules.ts';
import type { DatedEvent } from '../../../../kernel/audit.ts';
import type { FileId, UserId } from '../../../../kernel/ids.ts';
import { openRows } from '../../../engine/rows.ts';
import type { Row } from '../../../engine/schema.ts';
import { sql } from '../../../engine/sql.ts';
import { statement } from '../../../engine/statement.ts';
import { operation, reading, type Transaction } from '../../../engine/transaction.ts';
import { writeAudit } from '../../audit.ts';
import { toFile, toFileState } from '../file-rows.ts';
import { openFiles } from '../files.ts';
import { openOwners } from '../owners.ts';
import { removeFileRows } from '../sweeps/gone-files.ts';
import { usageOf } from '../usage-rows.ts';

type Listing = {
  readonly userId: UserId;
  readonly before: TrashPlace | undefined;
  readonly most: number;
  readonly now: number;
};

export const listTrash = reading(async (transaction, inputs: readonly Listing[]): Promise<TrashedFile[][]> => {
  const outputs: TrashedFile[][] = [];
  for (const { userId, before, most, now } of inputs) {
    const place = before ?? { deletedAt: Number.MAX_SAFE_INTEGER, id: '' };
    const rows = await transaction.all(trashPage, { userId, most, now, deletedAt: place.deletedAt, id: place.id });
    outputs.push(rows.map((row) => toTrashed(toFile(row), row.sweep_at)));
  }
  return outputs;
});

export const measureTrash = reading(async (transaction, userIds: readonly UserId[]): Promise<Quota[]> => {
  const wanted = [...new Set(userIds)].map((userId) => ({ user_id: userId }));
  const sums = new Map((await transaction.all(trashOf, { wanted })).map((sum) => [sum.user_id, sum]));
  return userIds.map((userId) => ({ bytes: sums.get(userId)?.bytes ?? 0, files: sums.get(userId)?.files ?? 0 }));
});

type FileOfUser = { readonly userId: UserId; readonly id: FileId; readonly now: number };

export const restoreFile = operation(
  async (transaction, inputs: readonly FileOfUser[]): Promise<(StoredFile | OwnerRefusal | undefined)[]> => {
    const owners = await openOwners(
      transaction,
      inputs.map((input) => input.userId),
    );
    const { files } = await openFiles(transaction, inputs);
    const events: DatedEvent[] = [];
    const outputs = inputs.map((input) => {
      const refusal = refuseOwner(owners(input.userId), undefined);
      if (refusal !== undefined) return refusal;
      const row = files.get(input.id);
      const outcome = judgeRestore(row && toFileState(row), input);
      if (row === undefined || outcome === undefined) return undefined;
      if (outcome === 'visible') return toFile(row);
      const restored = { ...row, deleted_at: null, sweep_at: outcome.sweepAt ?? null };
      files.put(restored);
      events.push(outcome.event);
      return toFile(restored);
    });
    await files.save();
    await writeAudit(transaction, events);
    return outputs;
  },
);

export const removeFromTrash = operation(async (transaction, inputs: readonly FileOfUser[]): Promise<boolean[]> => {
  const removals = await openRemovals(transaction, inputs);
  const outputs = inputs.map((input) =>
    removals.take(input.id, input.now, (row) => judgeRemoval(toFileState(row), input, removals.usedBy(row.user_id))),
  );
  await removals.save();
  return outputs;
});

type Emptying = { readonly userId: UserId; readonly now: number; readonly most: number };

/** The lock on the usage holds the trash of a user as it is, so it comes before the trash is read. */
export const emptyTrash = operation(async (transaction, inputs: readonly Emptying[]): Promise<FileId[][]> => {
  const userIds = [...new Set(inputs.map((input) => input.userId))];
  await openRows(transaction, 'file_usage', 'user_id', userIds);
  const found: InTrash[] = [];
  for (const userId of userIds) {
    const own = inputs.filter((input) => input.userId === userId);
    found.push(...(await transaction.all(oldestTrash, { userId, ...widest(own) })));
  }
  const removals = await openRemovals(transaction, found.map(toFileOfUser));
  const outputs = inputs.map((input) => {
    const own = found.filter(({ user_id, deleted_at }) => user_id === input.userId && deleted_at <= input.now);
    return takeSome(own, input.most, ({ id }) =>
      removals.take(id, input.now, (row) => judgeRemoval(toFileState(row), input, removals.usedBy(row.user_id))),
    );
  });
  await removals.save();
  return outputs;
});

/** The files are found without a lock, then locked and judged again: a restore or another node may have been faster. */
export const sweepFiles = operation(
  async (transaction, inputs: readonly { now: number; most: number }[]): Promise<FileId[][]> => {
    const found = await transaction.all(dueFiles, widest(inputs));
    const removals = await openRemovals(transaction, found.map(toFileOfUser));
    const outputs = inputs.map(({ now, most }) =>
      takeSome(found, most, ({ id }) =>
        removals.take(id, now, (row) => judgeSweep(toFileState(row), removals.usedBy(row.user_id), now)),
      ),
    );
    await removals.save();
    return outputs;
  },
);

type InTrash = Candidate & { readonly deleted_at: number };

type Candidate = { readonly id: FileId; readonly user_id: UserId };

const toFileOfUser = ({ id, user_id }: Candidate) => ({ id, userId: user_id });

/** What all inputs of a batch need: each takes its share in turn. */
function widest(inputs: readonly { readonly now: number; readonly most: number }[]) {
  return {
    now: Math.max(...inputs.map(({ now }) => now)),
    most: inputs.reduce((sum, { most }) => sum + most, 0),
  };
}

function takeSome<T extends Candidate>(found: readonly T[], most: number, isTaken: (each: T) => boolean): FileId[] {
  const taken: FileId[] = [];
  for (const each of found) {
    if (taken.length === most) break;
    if (isTaken(each)) taken.push(each.id);
  }
  return taken;
}

/** Files that are removed for good in this commit, with what that does to the usage of their owners. */
async function openRemovals(transaction: Transaction, inputs: readonly { userId: UserId; id: FileId }[]) {
  const { usage, files } = await openFiles(transaction, inputs);
  const gone = new Map<FileId, QueuedRemoval>();
  const events: DatedEvent[] = [];
  return {
    usedBy: (userId: UserId) => usageOf(usage, userId),
    /** True if the file is removed: once at most. */
    take: (id: FileId, now: number, judge: (row: Row<'files'>) => Removal | undefined): boolean => {
      const row = gone.has(id) ? undefined : files.get(id);
      const removal = row && judge(row);
      if (row === undefined || removal === undefined) return false;
      gone.set(id, queueFileRemoval(row, now));
      usage.put({ user_id: row.user_id, ...removal.usage });
      events.push(removal.event);
      return true;
    },
    save: async () => {
      await usage.save();
      await removeFileRows(transaction, gone);
      await writeAudit(transaction, events);
    },
  };
}

const trashPage = statement<Row<'files'> & { sweep_at: number }>(
  ({ all, value }) => sql`select ${all('files')} from files where user_id = ${value('userId')}
    and deleted_at is not null and sweep_at > ${value('now')}
    and (deleted_at < ${value('deletedAt')} or (deleted_at = ${value('deletedAt')} and id < ${value('id')}))
    order by deleted_at desc, id desc limit ${value('most')}`,
);

const trashOf = statement<{ user_id: UserId } & Quota>(
  ({ isAmong }) => sql`select user_id, cast(sum(size) as bigint) as bytes, count(*) as files from files
    where ${isAmong('files', 'user_id', 'wanted')} and deleted_at is not null group by user_id`,
);

const oldestTrash = statement<InTrash>(
  ({ value }) => sql`select id, user_id, deleted_at from files where user_id = ${value('userId')}
    and deleted_at is not null and deleted_at <= ${value('now')}
    order by deleted_at, id limit ${value('most')}`,
);

const dueFiles = statement<Candidate>(
  ({ value }) => sql`select id, user_id from files where sweep_at is not null and sweep_at <= ${value('now')}
    order by sweep_at, id limit ${value('most')}`,
);
