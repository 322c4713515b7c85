// The rules of an upload: whether it may start, whether it becomes a file, and how a used Idempotency-Key is answered.
import type { Act, DatedEvent } from '../kernel/audit.ts';
import { addToUsage, fitsQuota, type Quota, takeFromUsage } from './quota.ts';
import type {
  KnownUpload,
  Reservation,
  ReservationOutcome,
  Settlement,
  SettlementOutcome,
  StoredFile,
} from './stored-file.ts';

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

/** No usage means that the user was deleted: every reservation creates one, and it is deleted with the user. */
export function judgeSettlement(
  { used, uploads, key }: Omit<State, 'used'> & { readonly used: Quota | undefined },
  { uploadId, file, quota, now }: Pick<Settlement, 'uploadId' | 'file' | 'quota' | 'now'>,
): { readonly outcome: SettlementOutcome; readonly usage?: Quota } {
  if (used === undefined) return { outcome: { kind: 'gone' } };
  const known = recallUpload(key, now);
  if (known !== undefined) return { outcome: known };
  const others = uploads.filter((upload) => upload.id !== uploadId && upload.leaseUntil > now);
  if (!fitsQuota(used, others, file.size, quota)) return { outcome: { kind: 'full' } };
  return { outcome: { kind: 'stored' }, usage: addToUsage(used, file.size) };
}

/** The stored answer of a key; undefined for a new key, for an expired key, and for a key whose file was deleted. */
function recallUpload(key: FulfilledKey | undefined, now: number): KnownUpload | undefined {
  if (key?.file === undefined || key.keptUntil <= now) return undefined;
  return { kind: 'known', fingerprint: key.fingerprint, file: key.file };
}

export function storedEvent({ file: { id, userId, purpose, size }, now }: Settlement): DatedEvent {
  return { kind: 'file.stored', userId, detail: { file: id, purpose, size }, now };
}

export type FileDeletion = {
  readonly userId: string;
  readonly id: string;
  readonly now: number;
  readonly by?: Act;
};

/** The usage after a deletion; undefined if there is no such file, or if it belongs to another user. */
export function judgeDeletion(
  file: Pick<StoredFile, 'userId' | 'size'> | undefined,
  { userId }: Pick<FileDeletion, 'userId'>,
  used: Quota,
): Quota | undefined {
  return file?.userId === userId ? takeFromUsage(used, file.size) : undefined;
}

export function deletedEvent({ userId, id, now, by }: FileDeletion): DatedEvent {
  return { kind: 'file.deleted', userId, detail: { file: id, ...by }, now };
}
