// File records: finding, listing, deleting, and a user's usage.

import type { Quota } from '../../../files/quota.ts';
import type { FileDeletion, ListPlace, StoredFile } from '../../../files/stored-file.ts';
import { type QueuedRemoval, queueFileRemoval } from '../../../files/sweeps/removal-queue.ts';
import { isVisible, judgeDeletion } from '../../../files/trash/trash-rules.ts';
import type { DatedEvent } from '../../../kernel/audit.ts';
import type { FileId, UserId } from '../../../kernel/ids.ts';
import { openRows } from '../../engine/rows.ts';
import type { Row } from '../../engine/schema.ts';
import { sql } from '../../engine/sql.ts';
import { statement } from '../../engine/statement.ts';
import { lookup, operation, reading, type Transaction } from '../../engine/transaction.ts';
import { writeAudit } from '../audit.ts';
import { toFile, toFileState } from './file-rows.ts';
import { removeFileRows } from './sweeps/gone-files.ts';
import { usageOf } from './usage-rows.ts';

type Find = { readonly id: FileId; readonly now: number };

export const findFile = lookup(async (transaction, inputs: readonly Find[]): Promise<(StoredFile | undefined)[]> => {
  const files = await openRows(
    transaction,
    'files',
    'id',
    inputs.map((input) => input.id),
  );
  return inputs.map(({ id, now }) => {
    const row = files.get(id);
    const file = row && toFile(row);
    return file !== undefined && isVisible(file, now) ? file : undefined;
  });
});

export const findRecord = reading(async (transaction, ids: readonly FileId[]): Promise<(StoredFile | undefined)[]> => {
  const files = await openRows(transaction, 'files', 'id', ids);
  return ids.map((id) => {
    const row = files.get(id);
    return row && toFile(row);
  });
});

type Listing = {
  readonly userId: UserId;
  readonly before: ListPlace | undefined;
  readonly most: number;
  readonly now: number;
};

export const listFiles = reading(async (transaction, inputs: readonly Listing[]): Promise<StoredFile[][]> => {
  const outputs: StoredFile[][] = [];
  for (const { userId, before, most, now } of inputs) {
    const place = before ?? { createdAt: Number.MAX_SAFE_INTEGER, id: '' };
    const rows = await transaction.all(pageOf, { userId, most, now, createdAt: place.createdAt, id: place.id });
    outputs.push(rows.map(toFile));
  }
  return outputs;
});

export const listAll = reading(
  async (transaction, inputs: readonly { after: string; most: number }[]): Promise<StoredFile[][]> => {
    const outputs: StoredFile[][] = [];
    for (const input of inputs) outputs.push((await transaction.all(allAfter, input)).map(toFile));
    return outputs;
  },
);

type FileOfUser = { readonly userId: UserId; readonly id: FileId };

/** Waits for a settlement whose outcome is not known yet: it holds the same lock, so it has ended when this answers. */
export const isStored = operation(async (transaction, inputs: readonly FileOfUser[]): Promise<boolean[]> => {
  const { files } = await openFiles(transaction, inputs);
  return inputs.map(({ id }) => files.get(id) !== undefined);
});

export const deleteFile = operation(async (transaction, inputs: readonly FileDeletion[]): Promise<boolean[]> => {
  const { usage, files } = await openFiles(transaction, inputs);
  const gone = new Map<FileId, QueuedRemoval>();
  const events: DatedEvent[] = [];
  const outputs = inputs.map((input) => {
    const { userId, id } = input;
    const row = gone.has(id) ? undefined : files.get(id);
    const outcome = judgeDeletion(row && toFileState(row), input, usageOf(usage, userId));
    if (row === undefined || outcome === undefined) return false;
    events.push(outcome.event);
    if (outcome.kind === 'trashed') {
      files.put({ ...row, deleted_at: outcome.deletedAt, sweep_at: outcome.sweepAt });
    } else {
      gone.set(id, queueFileRemoval(row, input.now));
      usage.put({ user_id: userId, ...outcome.usage });
    }
    return true;
  });
  await Promise.all([usage.save(), files.save()]);
  await removeFileRows(transaction, gone);
  await writeAudit(transaction, events);
  return outputs;
});

export const usage = lookup(async (transaction, userIds: readonly UserId[]): Promise<Quota[]> => {
  const usage = await openRows(transaction, 'file_usage', 'user_id', userIds);
  return userIds.map((userId) => usageOf(usage, userId));
});

const pageOf = statement<Row<'files'>>(
  ({ all, value }) => sql`select ${all('files')} from files where user_id = ${value('userId')}
    and (created_at < ${value('createdAt')} or (created_at = ${value('createdAt')} and id < ${value('id')}))
    and deleted_at is null and (keep_until is null or keep_until > ${value('now')})
    order by created_at desc, id desc limit ${value('most')}`,
);

const allAfter = statement<Row<'files'>>(
  ({ all, value }) =>
    sql`select ${all('files')} from files where id > ${value('after')} order by id limit ${value('most')}`,
);

/** Locks the usage first, as a settlement does, so that the two never wait for each other. */
export async function openFiles(transaction: Transaction, inputs: readonly FileOfUser[]) {
  const usage = await openRows(
    transaction,
    'file_usage',
    'user_id',
    inputs.map((input) => input.userId),
  );
  const files = await openRows(
    transaction,
    'files',
    'id',
    inputs.map((input) => input.id),
  );
  return { usage, files };
}
