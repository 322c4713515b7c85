// Uploads in the store: space is reserved before a byte is taken, and becomes a file, or free again, in one commit.

import { endBySettlement, isRefused, refuseSettlement } from '../../../../files/resumable/resumable-state.ts';
import type {
  Infection,
  Reservation,
  ReservationId,
  ReservationOutcome,
  Settlement,
  SettlementOutcome,
} from '../../../../files/stored-file.ts';
import { type QueuedRemoval, queueRemoval } from '../../../../files/sweeps/removal-queue.ts';
import {
  type FulfilledKey,
  infectedEvent,
  judgeReservation,
  judgeSettlement,
  type OpenUpload,
  storedEvent,
} from '../../../../files/uploads/upload-rules.ts';
import type { FileId, UserId } from '../../../../kernel/ids.ts';
import { insert, listBy, openRows, type RowSet, remove } from '../../../engine/rows.ts';
import type { Row } from '../../../engine/schema.ts';
import { operation, type Transaction } from '../../../engine/transaction.ts';
import { writeAudit } from '../../audit.ts';
import { fromFile, toFile } from '../file-rows.ts';
import { openOwners } from '../owners.ts';
import { openResumables } from '../resumable/resumable-rows.ts';
import { queueRemovals } from '../sweeps/removals.ts';
import { usageOf } from '../usage-rows.ts';
import { openUploads } from './reserved-space.ts';
import { type Crowded, crowded, openRoom, type SpaceWish } from './room.ts';

type SpaceRequest = SpaceWish & { readonly keyId?: string | undefined };

/** The space of users, their trash, and what their keys have become. Locked: one upload of a user passes at a time, on every node. */
export async function openSpace(transaction: Transaction, inputs: readonly SpaceRequest[]) {
  const userIds = inputs.map((input) => input.userId);
  const keyIds = inputs.map((input) => input.keyId);
  // The user is locked too: the first upload finds no usage row to lock, and must not make one for a user who is being deleted.
  const [owners, usage, keys] = await Promise.all([
    openOwners(transaction, userIds),
    openRows(transaction, 'file_usage', 'user_id', userIds),
    openRows(transaction, 'idempotency_keys', 'id', keyIds),
  ]);
  const fileIds = keyIds.map((id) => keys.get(id ?? null)?.file_id);
  const open = await openUploads(transaction, userIds);
  const room = await openRoom(transaction, { usage, open }, inputs, fileIds);
  return { owners, usage, keys, open, room };
}

export const reserve = operation(
  async (transaction, inputs: readonly Reservation[]): Promise<(ReservationOutcome | Crowded)[]> => {
    const { owners, usage, keys, open, room } = await openSpace(transaction, inputs);
    const reserved: Row<'uploads'>[] = [];
    const outcomes = inputs.map((input): ReservationOutcome | Crowded => {
      const { userId, uploadId, bytes, keyId, leaseUntil } = input;
      const used = usageOf(usage, userId);
      const uploads = open.get(userId) ?? [];
      const key = fulfilledKey(keyId, keys, room.files);
      const state = { owner: owners(userId), used, uploads, key, trash: room.trashOf(userId) };
      const outcome = judgeReservation(state, input);
      if (outcome.kind !== 'reserved') return outcome;
      const made = 'room' in outcome ? room.make(outcome.room, input.now) : undefined;
      usage.put({ user_id: userId, ...(made?.used ?? used) });
      if (made?.isWhole === false) return crowded;
      uploads.push({ id: uploadId, bytes, keyId, leaseUntil });
      reserved.push(toRow({ id: uploadId, bytes, keyId, leaseUntil }, userId));
      return { kind: 'reserved' };
    });
    await Promise.all([usage.save(), insert(transaction, 'uploads', reserved)]);
    await queueRemovals(transaction, await room.save());
    await writeAudit(transaction, room.events);
    return outcomes;
  },
);

/** A worker removes the bytes. */
const late = { kind: 'late' } as const;

export const settle = operation(
  async (transaction, inputs: readonly Settlement[]): Promise<(SettlementOutcome | Crowded)[]> => {
    const userIds = inputs.map((input) => input.file.userId);
    const keyIds = inputs.map((input) => input.key?.id);
    const newIds = inputs.map(({ file }) => file.id);
    const [owners, usage, keys, pending] = await Promise.all([
      openOwners(transaction, userIds),
      openRows(transaction, 'file_usage', 'user_id', userIds),
      openRows(transaction, 'idempotency_keys', 'id', keyIds),
      openRows(transaction, 'pending_files', 'id', newIds),
    ]);
    const resumableIds = inputs.filter(({ isResumable }) => isResumable === true).map(({ uploadId }) => uploadId);
    // Files are locked before uploads. Only a settlement, which holds the usage, changes which file an upload has become.
    const settled = await listBy(transaction, 'resumables', 'id', resumableIds);
    const open = await openUploads(transaction, userIds);
    const wishes = inputs.map(({ file: { userId, size: bytes }, quota }) => ({ userId, bytes, quota }));
    const room = await openRoom(transaction, { usage, open }, wishes, [
      ...keyIds.map((id) => keys.get(id ?? null)?.file_id),
      ...settled.map((row) => row.file_id ?? undefined),
      ...newIds.filter((id) => pending.get(id) === undefined),
    ]);
    const { files, events } = room;
    // Whatever the outcome, this commit ends the reservations, unless it only begins to make room.
    await remove(
      transaction,
      'uploads',
      inputs.map((input) => ({ id: input.uploadId })),
    );
    const resumables = await openResumables(transaction, resumableIds);
    const unused: QueuedRemoval[] = [];
    /** Of uploads that have not ended by this. */
    const reserved: Row<'uploads'>[] = [];
    /** Files that are no longer in the making. */
    const decided: FileId[] = [];
    const outcomes = inputs.map((input): SettlementOutcome | Crowded => {
      const { uploadId, file, key, isResumable = false } = input;
      // This commit is the repetition of one that was made. Any other outcome would remove the bytes of a file with a record.
      if (files.get(file.id) !== undefined) return { kind: 'stored' };
      const keepReservation = () =>
        reserved.push(...uploads.filter(({ id }) => id === uploadId).map((each) => toRow(each, file.userId)));
      const used = usage.get(file.userId);
      const uploads = open.get(file.userId) ?? [];
      const upload = isResumable ? resumables.get(uploadId) : undefined;
      const before = files.get(upload?.fileId ?? null);
      const asked = { userId: file.userId, now: input.now };
      const ended = isResumable ? refuseSettlement(upload, before && toFile(before), asked) : undefined;
      const refusal = pending.get(file.id) === undefined ? late : ended;
      const owner = owners(file.userId);
      const trash = room.trashOf(file.userId);
      const state = { owner, used, uploads, key: fulfilledKey(key?.id, keys, files), trash, refusal };
      const { outcome, usage: left, room: wanted } = judgeSettlement(state, input);
      const made = wanted && room.make(wanted, input.now);
      if (made?.isWhole === false) {
        usage.put({ user_id: file.userId, ...made.used });
        keepReservation();
        return crowded;
      }
      if (outcome.kind === 'late') {
        keepReservation();
        return outcome;
      }
      decided.push(file.id);
      open.set(
        file.userId,
        uploads.filter(({ id }) => id !== uploadId),
      );
      if (upload !== undefined && refusal === undefined) {
        const next = endBySettlement(upload, outcome, input);
        if (next === undefined) resumables.forget(upload.id, input.now);
        else resumables.put(next);
      }
      if (left === undefined) {
        unused.push(queueRemoval(file.id, input.now));
        return outcome;
      }
      usage.put({ user_id: file.userId, ...left });
      files.put(fromFile(file));
      if (key !== undefined)
        keys.put({ id: key.id, fingerprint: key.fingerprint, file_id: file.id, sweep_at: key.keptUntil });
      events.push(storedEvent(input));
      return outcome;
    });
    await Promise.all([
      usage.save(),
      keys.save(),
      remove(
        transaction,
        'pending_files',
        decided.map((id) => ({ id })),
      ),
      files.save(),
      insert(transaction, 'uploads', reserved),
    ]);
    await resumables.save({ alsoRemoved: [...(await room.save()), ...unused] });
    await writeAudit(transaction, events);
    return outcomes;
  },
);

export const refuseInfected = operation(
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
    for (const input of inputs) {
      const upload = resumables.get(input.uploadId);
      if (upload !== undefined && isRefused(upload, input)) resumables.forget(upload.id, input.now);
    }
    await resumables.save();
    const events = inputs.map((input) => infectedEvent(usage.get(input.userId), input));
    await writeAudit(
      transaction,
      events.filter((event) => event !== undefined),
    );
    return events.map((event) => (event === undefined ? 'gone' : 'refused'));
  },
);

export const release = operation(async (transaction, ids: readonly ReservationId[]) => {
  await remove(
    transaction,
    'uploads',
    ids.map((id) => ({ id })),
  );
  return ids.map(() => undefined);
});

export const hold = operation(
  async (transaction, inputs: readonly { uploadId: ReservationId; leaseUntil: number }[]) => {
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

export function fulfilledKey(
  keyId: string | undefined,
  keys: RowSet<'idempotency_keys'>,
  files: RowSet<'files'>,
): FulfilledKey | undefined {
  const key = keys.get(keyId ?? null);
  const file = files.get(key?.file_id ?? null);
  return key && { fingerprint: key.fingerprint, keptUntil: key.sweep_at, file: file && toFile(file) };
}

function toRow({ id, bytes, keyId, leaseUntil }: OpenUpload, userId: UserId): Row<'uploads'> {
  return { id, user_id: userId, bytes, key_id: keyId ?? null, sweep_at: leaseUntil };
}
