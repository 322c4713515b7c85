// Uploads in the store: space is reserved before a byte is taken, and becomes a file, or free again, in one commit.
import type { Quota } from '../../files/quota.ts';
import { endBySettlement, isRefused, refuseSettlement } from '../../files/resumable-state.ts';
import type {
  Infection,
  Reservation,
  ReservationOutcome,
  RoomQuestion,
  Settlement,
  SettlementOutcome,
} from '../../files/stored-file.ts';
import {
  type FulfilledKey,
  infectedEvent,
  judgeReservation,
  judgeRoom,
  judgeSettlement,
  type OpenUpload,
  storedEvent,
} from '../../files/upload-rules.ts';
import type { DatedEvent } from '../../kernel/audit.ts';
import { insert, listBy, openRows, type RowSet, remove } from '../engine/rows.ts';
import type { Row } from '../engine/schema.ts';
import { sql } from '../engine/sql.ts';
import { statement } from '../engine/statement.ts';
import { operation, reading, type Transaction } from '../engine/transaction.ts';
import { writeAudit } from './audit.ts';
import { fromFile, toFile } from './file-rows.ts';
import { openResumables } from './resumable-rows.ts';

type SpaceRequest = { readonly userId: string; readonly keyId?: string | undefined };

/** The space of users, and what their keys have become. Locked: one upload of a user passes at a time, on every node. */
export async function openSpace(transaction: Transaction, inputs: readonly SpaceRequest[]) {
  const userIds = inputs.map((input) => input.userId);
  const keyIds = inputs.map((input) => input.keyId);
  // The user is locked too: the first upload finds no usage row to lock, and must not make one for a user who is being deleted.
  const [users, usage, keys] = await Promise.all([
    openRows(transaction, 'users', 'id', userIds),
    openRows(transaction, 'file_usage', 'user_id', userIds),
    openRows(transaction, 'idempotency_keys', 'id', keyIds),
  ]);
  const fileIds = keyIds.map((id) => keys.get(id ?? null)?.file_id);
  const files = await openRows(transaction, 'files', 'id', fileIds);
  return { users, usage, keys, files, open: await openUploads(transaction, userIds) };
}

export const hasFileRoom = reading(async (transaction, inputs: readonly RoomQuestion[]): Promise<boolean[]> => {
  const wanted = [...new Set(inputs.map((input) => input.userId))].map((user_id) => ({ user_id }));
  const rows = await transaction.all(usedAndReserved, { wanted });
  const used = new Map(rows.map(({ user_id, bytes, files }) => [user_id, { bytes, files }]));
  return inputs.map((input) => judgeRoom(used.get(input.userId), input));
});

export const reserveUpload = operation(
  async (transaction, inputs: readonly Reservation[]): Promise<ReservationOutcome[]> => {
    const { users, usage, keys, files, open } = await openSpace(transaction, inputs);
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
    const resumableIds = inputs.filter(({ isResumable }) => isResumable === true).map(({ uploadId }) => uploadId);
    // Files are locked before uploads. Only a settlement, which holds the usage, changes which file an upload has become.
    const settled = await listBy(transaction, 'resumables', 'id', resumableIds);
    const files = await openRows(transaction, 'files', 'id', [
      ...keyIds.map((id) => keys.get(id ?? null)?.file_id),
      ...settled.map((row) => row.file_id),
    ]);
    const open = await openUploads(transaction, userIds);
    // Whatever the outcome, this commit ends the reservations.
    await remove(
      transaction,
      'uploads',
      inputs.map((input) => ({ id: input.uploadId })),
    );
    const resumables = await openResumables(transaction, resumableIds);
    const events: DatedEvent[] = [];
    const outcomes = inputs.map((input): SettlementOutcome => {
      const { uploadId, file, key, isResumable = false } = input;
      const used = usage.get(file.userId);
      const uploads = open.get(file.userId) ?? [];
      const upload = isResumable ? resumables.get(uploadId) : undefined;
      const before = files.get(upload?.fileId ?? null);
      const asked = { userId: file.userId, now: input.now };
      const refusal = isResumable ? refuseSettlement(upload, before && toFile(before), asked) : undefined;
      const state = { used, uploads, key: fulfilledKey(key?.id, keys, files), refusal };
      const { outcome, usage: left } = judgeSettlement(state, input);
      open.set(
        file.userId,
        uploads.filter(({ id }) => id !== uploadId),
      );
      if (upload !== undefined && refusal === undefined)
        resumables.put(endBySettlement(upload, outcome, input), uploadId);
      if (left === undefined) return outcome;
      usage.put({ user_id: file.userId, ...left });
      files.put(fromFile(file));
      if (key !== undefined)
        keys.put({ id: key.id, fingerprint: key.fingerprint, file_id: file.id, sweep_at: key.keptUntil });
      events.push(storedEvent(input));
      return outcome;
    });
    await Promise.all([usage.save(), keys.save(), files.save(), writeAudit(transaction, events)]);
    await resumables.save();
    return outcomes;
  },
);

export const refuseInfectedUpload = operation(
  async (transaction, inputs: readonly Infection[]): Promise<('refused' | 'gone')[]> => {
    const usage = await openRows(
      transaction,
      'file_usage',
      'user_id',
      inputs.map((input) => input.userId),
    );
    const ids = inputs.map((input) => input.uploadId);
    await remove(
      transaction,
      'uploads',
      ids.map((id) => ({ id })),
    );
    const resumables = await openResumables(transaction, ids);
    for (const input of inputs)
      if (isRefused(resumables.get(input.uploadId), input)) resumables.put(undefined, input.uploadId);
    await resumables.save();
    const events = inputs.map((input) => infectedEvent(usage.get(input.userId), input));
    await writeAudit(
      transaction,
      events.filter((event) => event !== undefined),
    );
    return events.map((event) => (event === undefined ? 'gone' : 'refused'));
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

export function fulfilledKey(
  keyId: string | undefined,
  keys: RowSet<'idempotency_keys'>,
  files: RowSet<'files'>,
): FulfilledKey | undefined {
  const key = keys.get(keyId ?? null);
  const file = files.get(key?.file_id ?? null);
  return key && { fingerprint: key.fingerprint, keptUntil: key.sweep_at, file: file && toFile(file) };
}

/** The uploads under way, by user. */
export async function openUploads(
  transaction: Transaction,
  userIds: readonly string[],
): Promise<Map<string, OpenUpload[]>> {
  const byUser = new Map<string, OpenUpload[]>(userIds.map((userId) => [userId, []]));
  const rows = await transaction.all(underWay, { wanted: [...byUser.keys()].map((userId) => ({ user_id: userId })) });
  for (const { id, user_id, bytes, key_id, sweep_at } of rows)
    byUser.get(user_id)?.push({ id, bytes, keyId: key_id ?? undefined, leaseUntil: sweep_at });
  return byUser;
}

/** What is stored and what is reserved, added up. */
const usedAndReserved = statement<{ user_id: string } & Quota>(
  ({ isAmong }) => sql`select user_id,
    cast(bytes + coalesce((select sum(uploads.bytes) from uploads where uploads.user_id = file_usage.user_id), 0) as bigint) as bytes,
    files + (select count(*) from uploads where uploads.user_id = file_usage.user_id) as files
    from file_usage where ${isAmong('file_usage', 'user_id', 'wanted')}`,
);

const underWay = statement<Row<'uploads'>>(
  ({ all, isAmong }) => sql`select ${all('uploads')} from uploads where ${isAmong('uploads', 'user_id', 'wanted')}`,
);
