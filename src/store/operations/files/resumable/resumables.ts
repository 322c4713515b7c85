// Uploads in several requests: created, taken by the newest request, advanced by durable bytes, cancelled.

import { judgeCreation } from '../../../../files/resumable/resumable-creation.ts';
import {
  judgeAdvance,
  judgeCancel,
  judgeTake,
  leastPartBytes,
  reservedBytes,
} from '../../../../files/resumable/resumable-rules.ts';
import type {
  Advance,
  AdvanceOutcome,
  Cancellation,
  CancelOutcome,
  CreationOutcome,
  NewUpload,
  ResumableUpload,
  TakeOutcome,
  Taking,
} from '../../../../files/resumable/resumable-upload.ts';
import type { StoredFile } from '../../../../files/stored-file.ts';
import type { OpenUpload } from '../../../../files/uploads/upload-rules.ts';
import type { UploadId } from '../../../../kernel/ids.ts';
import { insert, listBy, openRows, remove } from '../../../engine/rows.ts';
import type { Row } from '../../../engine/schema.ts';
import { operation, type Transaction } from '../../../engine/transaction.ts';
import { writeAudit } from '../../audit.ts';
import { toFile } from '../file-rows.ts';
import { openOwners } from '../owners.ts';
import { openUploads } from '../uploads/reserved-space.ts';
import { type Crowded, crowded, openRoom, type SpaceWish } from '../uploads/room.ts';
import { fulfilledKey, openSpace } from '../uploads/uploads.ts';
import { usageOf } from '../usage-rows.ts';
import { openResumables, type Resumables } from './resumable-rows.ts';

/** Locks like a reservation, then the open uploads with the same keys. */
export const create = operation(
  async (transaction, inputs: readonly NewUpload[]): Promise<(CreationOutcome | Crowded)[]> => {
    const wishes = inputs.map((input) => ({ ...input, bytes: input.length ?? 0 }));
    const { owners, usage, keys, open, room } = await openSpace(transaction, wishes);
    const wantedKeys = new Set(inputs.map((input) => input.keyId));
    const withKeys = [...open.values()].flat().filter(({ keyId }) => keyId !== undefined && wantedKeys.has(keyId));
    const ids = withKeys.map(({ id }) => id);
    // One of them may have been cancelled since they were listed. The lock tells which are still there.
    const held = await openRows(transaction, 'uploads', 'id', ids);
    const cancelled = new Set(ids.filter((id) => held.get(id) === undefined));
    const resumables = await openResumables(transaction, ids);
    const reserved: Row<'uploads'>[] = [];
    const outcomes = inputs.map((input): CreationOutcome | Crowded => {
      const { userId, keyId } = input;
      const used = usageOf(usage, userId);
      const uploads = (open.get(userId) ?? []).filter(({ id }) => !cancelled.has(id));
      const key = fulfilledKey(keyId, keys, room.files);
      const state = { owner: owners(userId), used, uploads, key, trash: room.trashOf(userId), find: resumables.get };
      const { outcome, next, room: wanted } = judgeCreation(state, input);
      const made = wanted && room.make(wanted, input.now);
      if (made?.isWhole === false) {
        usage.put({ user_id: userId, ...made.used });
        return crowded;
      }
      if (next !== undefined) resumables.put(next);
      if (next === undefined || outcome.kind !== 'created') return outcome;
      usage.put({ user_id: userId, ...(made?.used ?? used) });
      open.set(userId, [...uploads, toReserved(next)]);
      reserved.push(toReservation(next));
      return outcome;
    });
    await Promise.all([usage.save(), insert(transaction, 'uploads', reserved)]);
    await resumables.save({ alsoRemoved: await room.save() });
    await writeAudit(transaction, room.events);
    return outcomes;
  },
);

export const take = operation(async (transaction, inputs: readonly Taking[]): Promise<TakeOutcome[]> => {
  const resumables = await openResumables(
    transaction,
    inputs.map((input) => input.uploadId),
  );
  const files = await storedFiles(transaction, resumables, inputs);
  const outcomes = inputs.map((input): TakeOutcome => {
    const upload = resumables.get(input.uploadId);
    const { outcome, next } = judgeTake(upload, files.get(upload?.fileId), input);
    if (next !== undefined) resumables.put(next);
    return outcome;
  });
  await resumables.save();
  return outcomes;
});

/** The lock on the usage lets one upload of the user grow at a time, on every node. */
export const advance = operation(
  async (transaction, inputs: readonly Advance[]): Promise<(AdvanceOutcome | Crowded)[]> => {
    const userIds = inputs.map((input) => input.userId);
    const ids = inputs.map((input) => input.uploadId);
    const owners = await openOwners(transaction, userIds);
    const usage = await openRows(transaction, 'file_usage', 'user_id', userIds);
    const open = await openUploads(transaction, userIds);
    const room = await openRoom(transaction, { usage, open }, inputs.map(toWish));
    const reservations = await openRows(transaction, 'uploads', 'id', ids);
    const resumables = await openResumables(transaction, ids);
    const parts = await openRows(
      transaction,
      'upload_parts',
      'id',
      inputs.flatMap((input) => input.parts.map(({ id }) => id)),
    );
    const outcomes = inputs.map((input): AdvanceOutcome | Crowded => {
      const { userId, uploadId } = input;
      const uploads = open.get(userId) ?? [];
      const newParts = input.parts.filter(({ id }) => parts.get(id) === undefined).length;
      const [upload, used] = [resumables.get(uploadId), usage.get(userId)];
      const state = { upload, owner: owners(userId), used, uploads, trash: room.trashOf(userId), newParts };
      const { outcome, next, room: wanted } = judgeAdvance(state, input);
      if (next === undefined) return outcome;
      const made = wanted && room.make(wanted, input.now);
      if (made !== undefined) usage.put({ user_id: userId, ...made.used });
      if (made?.isWhole === false) return crowded;
      resumables.put(next);
      reservations.put(toReservation(next));
      open.set(userId, [...uploads.filter(({ id }) => id !== uploadId), toReserved(next)]);
      for (const { id, firstByte, bytes } of input.parts)
        parts.put({ id, upload_id: uploadId, first_byte: firstByte, bytes });
      return outcome;
    });
    await Promise.all([usage.save(), reservations.save()]);
    await parts.save();
    await resumables.save({ alsoRemoved: await room.save() });
    await writeAudit(transaction, room.events);
    return outcomes;
  },
);

export const cancel = operation(async (transaction, inputs: readonly Cancellation[]): Promise<CancelOutcome[]> => {
  const ids = inputs.map((input) => input.uploadId);
  await openRows(transaction, 'uploads', 'id', ids);
  const resumables = await openResumables(transaction, ids);
  const cancelled: UploadId[] = [];
  const outcomes = inputs.map((input): CancelOutcome => {
    const { uploadId } = input;
    const { outcome, next } = judgeCancel(resumables.get(uploadId), input);
    if (next !== undefined) resumables.put(next);
    if (outcome !== 'cancelled') return outcome;
    cancelled.push(uploadId);
    resumables.forget(uploadId, input.now);
    return outcome;
  });
  await remove(
    transaction,
    'uploads',
    cancelled.map((id) => ({ id })),
  );
  await resumables.save();
  return outcomes;
});

/** The files that uploads were stored as, read without a lock. */
export async function storedFiles(
  transaction: Transaction,
  resumables: Resumables,
  inputs: readonly { readonly uploadId: string }[],
): Promise<Map<string | undefined, StoredFile>> {
  const ids = inputs.flatMap(({ uploadId }) => resumables.get(uploadId)?.fileId ?? []);
  return new Map((await listBy(transaction, 'files', 'id', ids)).map((row) => [row.id, toFile(row)]));
}

export function toReservation(upload: ResumableUpload): Row<'uploads'> {
  const { id, userId, keyId, expiresAt } = upload;
  return { id, user_id: userId, bytes: reservedBytes(upload), key_id: keyId ?? null, sweep_at: expiresAt };
}

/** At most what the upload needs besides its reservation. Each new part counts as much as the smallest file. */
function toWish({ userId, received, length = 0, parts, quota }: Advance): SpaceWish {
  const leastBytes = Math.max(received, length);
  return { userId, bytes: leastBytes + parts.length * leastPartBytes, leastBytes, quota };
}

function toReserved(upload: ResumableUpload): OpenUpload {
  const { id, keyId, expiresAt } = upload;
  return { id, bytes: reservedBytes(upload), keyId, leaseUntil: expiresAt };
}
