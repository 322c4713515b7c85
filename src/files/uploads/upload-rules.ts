// The rules of an upload: whether it may start, whether it becomes a file, and how a used Idempotency-Key is answered.
import type { DatedEvent } from '../../kernel/audit.ts';
import { type OwnerState, refuseOwner } from '../owner-state.ts';
import { addToUsage, fitsQuota, type Quota } from '../quota.ts';
import type {
  Infection,
  KnownUpload,
  Reservation,
  ReservationId,
  ReservationOutcome,
  RoomQuestion,
  Settlement,
  SettlementOutcome,
  StoredFile,
} from '../stored-file.ts';
import { isVisible } from '../trash/trash-rules.ts';
import { type Displaceable, findRoom, type Room } from './room.ts';

/** An upload in progress. It counts until its lease ends. */
export type OpenUpload = {
  readonly id: ReservationId;
  readonly bytes: number;
  readonly keyId: string | undefined;
  readonly leaseUntil: number;
};

/** A key of a finished upload. The file is undefined if it was deleted since. */
export type FulfilledKey = {
  readonly fingerprint: string;
  readonly keptUntil: number;
  readonly file: StoredFile | undefined;
};

/** What a user has stored, and what they are uploading. */
type State = {
  readonly owner: OwnerState;
  readonly used: Quota;
  readonly uploads: readonly OpenUpload[];
  readonly key: FulfilledKey | undefined;
  /** The user's trash, oldest deletion first: all of it, or enough for every upload of the commit. */
  readonly trash: readonly Displaceable[];
};

/** With `room` if files in the trash make way. */
type JudgedReservation = ReservationOutcome | { readonly kind: 'reserved'; readonly room: Room };

export function judgeReservation(
  { owner, used, uploads, key, trash }: State,
  { keyId, bytes, quota, now, by }: Pick<Reservation, 'keyId' | 'bytes' | 'quota' | 'now' | 'by'>,
): JudgedReservation {
  const refusal = refuseOwner(owner, by);
  if (refusal !== undefined) return { kind: refusal };
  const known = recallUpload(key, now);
  if (known !== undefined) return known;
  const others = uploads.filter((upload) => upload.leaseUntil > now);
  const same = keyId === undefined ? undefined : others.find((upload) => upload.keyId === keyId);
  if (same !== undefined) return { kind: 'in progress', until: same.leaseUntil };
  const room = findRoom({ used, reserved: others, bytes, quota }, trash);
  if (room === undefined) return { kind: 'full' };
  return room.removed.length === 0 ? { kind: 'reserved' } : { kind: 'reserved', room };
}

/** What the uploads of a user have reserved at a moment. */
export function sumReserved(uploads: readonly OpenUpload[], now: number): Quota {
  const open = uploads.filter((upload) => upload.leaseUntil > now);
  return { bytes: open.reduce((sum, { bytes }) => sum + bytes, 0), files: open.length };
}

/** False also for a user who never uploaded anything: a reservation finds out whether they exist. */
export function judgeRoom(used: Quota | undefined, { room, quota }: RoomQuestion): boolean {
  return used !== undefined && fitsQuota(used, [], room.bytes, quota, room.files);
}

type SettlementState = Omit<State, 'used'> & {
  readonly used: Quota | undefined;
  /** Why it can no longer be settled: the id of its file is noted no longer, or the upload in several requests has ended. */
  readonly refusal?: SettlementOutcome | undefined;
};

/** No usage means that the user was deleted: every reservation creates one, and it is deleted with the user. */
export function judgeSettlement(
  { owner, used, uploads, key, trash, refusal }: SettlementState,
  { uploadId, file, quota, now, by }: Pick<Settlement, 'uploadId' | 'file' | 'quota' | 'now' | 'by'>,
): { readonly outcome: SettlementOutcome; readonly usage?: Quota; readonly room?: Room } {
  if (used === undefined) return { outcome: { kind: 'gone' } };
  const stopped = refuseOwner(owner, by);
  if (stopped !== undefined) return { outcome: { kind: stopped } };
  if (refusal !== undefined) return { outcome: refusal };
  const known = recallUpload(key, now);
  if (known !== undefined) return { outcome: known };
  const held = uploads.filter((upload) => upload.leaseUntil > now);
  // Room that is reserved for the upload is its own, whatever others have reserved since.
  const isReserved = held.some((upload) => upload.id === uploadId && upload.bytes >= file.size);
  const others = isReserved ? [] : held.filter((upload) => upload.id !== uploadId);
  const room = findRoom({ used, reserved: others, bytes: file.size, quota }, trash);
  if (room === undefined) return { outcome: { kind: 'full' } };
  const usage = addToUsage(room.used, file.size);
  return { outcome: { kind: 'stored' }, usage, ...(room.removed.length > 0 && { room }) };
}

/** The stored answer of a key; undefined for a new or expired key, and for a key whose file was deleted or has expired. */
function recallUpload(key: FulfilledKey | undefined, now: number): KnownUpload | undefined {
  if (key?.file === undefined || key.keptUntil <= now || !isVisible(key.file, now)) return undefined;
  return { kind: 'known', fingerprint: key.fingerprint, file: key.file };
}

export function storedEvent({ file: { id, userId, purpose, size }, now, by }: Settlement): DatedEvent {
  return { kind: 'file.stored', userId, detail: { file: id, purpose, size, ...by }, now };
}

/** Undefined if the user was deleted, whose usage is then gone. */
export function infectedEvent(
  used: Quota | undefined,
  { userId, purpose, size, sha256, signature, now, by }: Infection,
): DatedEvent | undefined {
  if (used === undefined) return undefined;
  return { kind: 'file.infected', userId, detail: { purpose, size, sha256, signature, ...by }, now };
}
