// The rules of an upload: whether it may start, whether it becomes a file, and how a used Idempotency-Key is answered.
import type { DatedEvent, ServiceAct } from '../kernel/audit.ts';
import { Failure } from '../kernel/failure.ts';
import { addToUsage, fitsQuota, type Quota } from './quota.ts';
import type {
  Infection,
  KnownUpload,
  Reservation,
  ReservationOutcome,
  RoomQuestion,
  Settlement,
  SettlementOutcome,
  StoredFile,
} from './stored-file.ts';
import { isVisible } from './trash-rules.ts';

/** An upload in progress. It counts until its lease ends. */
export type OpenUpload = {
  readonly id: string;
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
  readonly used: Quota;
  readonly uploads: readonly OpenUpload[];
  readonly key: FulfilledKey | undefined;
};

export function judgeReservation(
  { hasUser, used, uploads, key }: State & { readonly hasUser: boolean },
  { keyId, bytes, quota, now }: Pick<Reservation, 'keyId' | 'bytes' | 'quota' | 'now'>,
): ReservationOutcome {
  if (!hasUser) return { kind: 'gone' };
  const known = recallUpload(key, now);
  if (known !== undefined) return known;
  const others = uploads.filter((upload) => upload.leaseUntil > now);
  if (keyId !== undefined && others.some((upload) => upload.keyId === keyId)) return { kind: 'in progress' };
  return { kind: fitsQuota(used, others, bytes, quota) ? 'reserved' : 'full' };
}

/** False also for a user who never uploaded anything: a reservation finds out whether they exist. */
export function judgeRoom(used: Quota | undefined, { room, quota }: RoomQuestion): boolean {
  return used !== undefined && fitsQuota(used, [], room.bytes, quota, room.files);
}

type SettlementState = Omit<State, 'used'> & {
  readonly used: Quota | undefined;
  /** Why an upload in several requests can no longer be settled. */
  readonly refusal?: SettlementOutcome | undefined;
};

/** No usage means that the user was deleted: every reservation creates one, and it is deleted with the user. */
export function judgeSettlement(
  { used, uploads, key, refusal }: SettlementState,
  { uploadId, file, quota, now }: Pick<Settlement, 'uploadId' | 'file' | 'quota' | 'now'>,
): { readonly outcome: SettlementOutcome; readonly usage?: Quota } {
  if (used === undefined) return { outcome: { kind: 'gone' } };
  if (refusal !== undefined) return { outcome: refusal };
  const known = recallUpload(key, now);
  if (known !== undefined) return { outcome: known };
  const others = uploads.filter((upload) => upload.id !== uploadId && upload.leaseUntil > now);
  if (!fitsQuota(used, others, file.size, quota)) return { outcome: { kind: 'full' } };
  return { outcome: { kind: 'stored' }, usage: addToUsage(used, file.size) };
}

/** The stored answer of a key; undefined for a new or expired key, and for a key whose file was deleted or has expired. */
function recallUpload(key: FulfilledKey | undefined, now: number): KnownUpload | undefined {
  if (key?.file === undefined || key.keptUntil <= now || !isVisible(key.file, now)) return undefined;
  return { kind: 'known', fingerprint: key.fingerprint, file: key.file };
}

/** The owner was deleted. For the owner this ends the session. The back end named a user who does not exist. */
export function ownerGone(by: ServiceAct | undefined): Failure {
  return by === undefined ? new Failure('SESSION_REVOKED') : new Failure('NOT_FOUND', { user: 'unnamed' });
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
