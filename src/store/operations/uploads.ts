// Uploads in the store: space is reserved before a byte is taken, and becomes a file, or free again, in one commit.
import type { Quota } from '../../files/quota.ts';
import type { Reservation, ReservationOutcome, Settlement, SettlementOutcome } from '../../files/stored-file.ts';
import {
  type FulfilledKey,
  judgeReservation,
  judgeSettlement,
  type OpenUpload,
  storedEvent,
} from '../../files/upload-rules.ts';
import type { DatedEvent } from '../../kernel/audit.ts';
import { insert, openRows, type RowSet, remove } from '../engine/rows.ts';
import type { Row } from '../engine/schema.ts';
import { sql } from '../engine/sql.ts';
import { statement } from '../engine/statement.ts';
import { operation, type Transaction } from '../engine/transaction.ts';
import { writeAudit } from './audit.ts';
import { fromFile, toFile } from './file-rows.ts';

/** The lock on a user's usage row lets one upload of the user pass at a time, on every node. */
export const reserveUpload = operation(
  async (transaction, inputs: readonly Reservation[]): Promise<ReservationOutcome[]> => {
    const userIds = inputs.map((input) => input.userId);
    const keyIds = inputs.map((input) => input.keyId);
    // The user is locked too: the first upload finds no usage row to lock, and must not make one for a user who is being deleted.
    const [users, usage, keys] = await Promise.all([
      openRows(transaction, 'users', 'id', userIds),
      openRows(transaction, 'file_usage', 'user_id', userIds),
      openRows(transaction, 'idempotency_keys', 'id', keyIds),
    ]);
    const files = await openRows(
      transaction,
      'files',
      'id',
      keyIds.map((id) => keys.get(id ?? null)?.file_id),
    );
    const open = await openUploads(transaction, userIds);
    const reserved: Row<'uploads'>[] = [];
    const outcomes = inputs.map((input): ReservationOutcome => {
      const { userId, uploadId, bytes, keyId, leaseUntil } = input;
      const hasUser = users.get(userId) !== undefined;
      const used = usageOf(usage, userId);
      const uploads = open.get(userId) ?? [];
      const outcome = judgeReservation({ hasUser, used, uploads, key: fulfilledKey(keyId, keys, files) }, input);
      if (outcome.kind !== 'reserved') return outcome;
      usage.put({ user_id: userId, ...used });
      uploads.push({ id: uploadId, bytes, keyId, leaseUntil });
      reserved.push({ id: uploadId, user_id: userId, bytes, key_id: keyId ?? null, sweep_at: leaseUntil });
      return outcome;
    });
    await Promise.all([usage.save(), insert(transaction, 'uploads', reserved)]);
    return outcomes;
  },
);

export const settleUpload = operation(
  async (transaction, inputs: readonly Settlement[]): Promise<SettlementOutcome[]> => {
    const userIds = inputs.map((input) => input.file.userId);
    const keyIds = inputs.map((input) => input.key?.id);
    const [usage, keys] = await Promise.all([
      openRows(transaction, 'file_usage', 'user_id', userIds),
      openRows(transaction, 'idempotency_keys', 'id', keyIds),
    ]);
    const files = await openRows(
      transaction,
      'files',
      'id',
      keyIds.map((id) => keys.get(id ?? null)?.file_id),
    );
    const open = await openUploads(transaction, userIds);
    const events: DatedEvent[] = [];
    const outcomes = inputs.map((input): SettlementOutcome => {
      const { file, key } = input;
      const used = usage.get(file.userId);
      const uploads = open.get(file.userId) ?? [];
      const state = { used, uploads, key: fulfilledKey(key?.id, keys, files) };
      const { outcome, usage: left } = judgeSettlement(state, input);
      // Whatever the outcome, this commit ends the reservation.
      open.set(
        file.userId,
        uploads.filter(({ id }) => id !== input.uploadId),
      );
      if (left === undefined) return outcome;
      usage.put({ user_id: file.userId, ...left });
      files.put(fromFile(file));
      if (key !== undefined)
        keys.put({ id: key.id, fingerprint: key.fingerprint, file_id: file.id, sweep_at: key.keptUntil });
      events.push(storedEvent(input));
      return outcome;
    });
    await Promise.all([usage.save(), keys.save(), files.save(), writeAudit(transaction, events)]);
    await remove(
      transaction,
      'uploads',
      inputs.map((input) => ({ id: input.uploadId })),
    );
    return outcomes;
  },
);

export const releaseUpload = operation(async (transaction, ids: readonly string[]) => {
  await remove(
    transaction,
    'uploads',
    ids.map((id) => ({ id })),
  );
  return ids.map(() => undefined);
});

export const holdUpload = operation(
  async (transaction, inputs: readonly { uploadId: string; leaseUntil: number }[]) => {
    const uploads = await openRows(
      transaction,
      'uploads',
      'id',
      inputs.map((input) => input.uploadId),
    );
    for (const { uploadId, leaseUntil } of inputs) {
      const row = uploads.get(uploadId);
      if (row !== undefined) uploads.put({ ...row, sweep_at: leaseUntil });
    }
    await uploads.save();
    return inputs.map(() => undefined);
  },
);

export function usageOf(usage: RowSet<'file_usage'>, userId: string): Quota {
  const row = usage.get(userId);
  return { bytes: row?.bytes ?? 0, files: row?.files ?? 0 };
}

function fulfilledKey(
  keyId: string | undefined,
  keys: RowSet<'idempotency_keys'>,
  files: RowSet<'files'>,
): FulfilledKey | undefined {
  const key = keys.get(keyId ?? null);
  const file = files.get(key?.file_id ?? null);
  return key && { fingerprint: key.fingerprint, keptUntil: key.sweep_at, file: file && toFile(file) };
}

/** The uploads under way, by user. */
async function openUploads(transaction: Transaction, userIds: readonly string[]): Promise<Map<string, OpenUpload[]>> {
  const byUser = new Map<string, OpenUpload[]>(userIds.map((userId) => [userId, []]));
  const rows = await transaction.all(underWay, { wanted: [...byUser.keys()].map((userId) => ({ user_id: userId })) });
  for (const { id, user_id, bytes, key_id, sweep_at } of rows)
    byUser.get(user_id)?.push({ id, bytes, keyId: key_id ?? undefined, leaseUntil: sweep_at });
  return byUser;
}

const underWay = statement<Row<'uploads'>>(
  ({ all, isAmong }) => sql`select ${all('uploads')} from uploads where ${isAmong('uploads', 'user_id', 'wanted')}`,
);
