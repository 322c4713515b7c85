// The rules of the creation of an upload in several requests: quota, Idempotency-Key, and going on with an open upload.
import type { OwnerState } from '../owner-state.ts';
import type { Quota } from '../quota.ts';
import type { Displaceable } from '../uploads/room.ts';
import { type FulfilledKey, judgeReservation, type OpenUpload } from '../uploads/upload-rules.ts';
import { type Judged, statusOf, withoutFinisher } from './resumable-state.ts';
import type { CreationOutcome, NewUpload, ResumableUpload } from './resumable-upload.ts';

type CreationState = {
  readonly owner: OwnerState;
  readonly used: Quota;
  readonly uploads: readonly OpenUpload[];
  readonly key: FulfilledKey | undefined;
  readonly trash: readonly Displaceable[];
  /** The upload in several requests with this id, if it is one. */
  readonly find: (id: string) => ResumableUpload | undefined;
};

/** A fulfilled key decides only if the digest proves the bytes. Otherwise the settlement decides, which has seen them. */
export function judgeCreation(state: CreationState, ask: NewUpload): Judged<CreationOutcome> {
  const { keyId, digest, now } = ask;
  const open = keyId === undefined ? undefined : findOpen(state, keyId, now);
  if (state.owner === 'free' && open !== undefined) {
    if (!isSameUpload(open, ask)) return { outcome: { kind: 'key reused' } };
    if (statusOf(open, now) === 'finishing')
      return { outcome: { kind: 'in progress', until: open.finishUntil ?? now } };
    const upload = { ...withoutFinisher(open), writer: ask.writer };
    return { outcome: { kind: 'open', upload }, next: upload };
  }
  const isProved = digest !== undefined && state.key?.fingerprint === Buffer.from(digest, 'base64').toString('hex');
  const wanted = { keyId, bytes: ask.length ?? 0, quota: ask.quota, now };
  const outcome = judgeReservation({ ...state, key: isProved ? state.key : undefined }, wanted);
  if (outcome.kind !== 'reserved') return { outcome };
  return { outcome: { kind: 'created' }, next: newUpload(ask), ...('room' in outcome && { room: outcome.room }) };
}

function findOpen({ uploads, find }: CreationState, keyId: string, now: number): ResumableUpload | undefined {
  const held = uploads.find((upload) => upload.keyId === keyId && upload.leaseUntil > now);
  const upload = held && find(held.id);
  return upload !== undefined && ['open', 'finishing'].includes(statusOf(upload, now)) ? upload : undefined;
}

/** What only one of the two names does not count. */
function isSameUpload(open: ResumableUpload, { purpose, length, digest }: NewUpload): boolean {
  const agree = (one: string | number | undefined, other: string | number | undefined) =>
    one === undefined || other === undefined || one === other;
  return open.purpose === purpose && agree(open.length, length) && agree(open.digest, digest);
}

function newUpload({ quota: _, now, ...upload }: NewUpload): ResumableUpload {
  const nothing = { received: 0, parts: 0, finisher: undefined, finishUntil: undefined, fileId: undefined };
  return { ...upload, ...nothing, createdAt: now, endedAt: undefined };
}
