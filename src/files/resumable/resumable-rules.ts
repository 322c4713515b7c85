// The rules of an upload in several requests: who may append, who stores the file, and when it ends. Of two callers, one wins.
import { unreachable } from '../../kernel/text/closed-list.ts';
import { type OwnerState, refuseOwner } from '../owner-state.ts';
import type { Quota } from '../quota.ts';
import type { StoredFile } from '../stored-file.ts';
import { type Displaceable, findRoom } from '../uploads/room.ts';
import type { OpenUpload } from '../uploads/upload-rules.ts';
import { type Asked, ended, isOwn, type Judged, statusOf, visible, withoutFinisher } from './resumable-state.ts';
import {
  type Advance,
  type AdvanceOutcome,
  type BeginFinish,
  type Cancellation,
  type CancelOutcome,
  mostPartsOf,
  type ResumableUpload,
  type TakeOutcome,
  type UploadGone,
} from './resumable-upload.ts';

/** What the smallest file takes on a disk. */
export const leastPartBytes = 4096;
/** Up to this many parts cost nothing besides their bytes. */
const freeParts = 16;

/** The small parts of all uploads of a user may take this much besides the quota, so the quota stops none of them. */
const partBytesBesides = 64 * 2 ** 20;

type Extent = Pick<ResumableUpload, 'length' | 'received' | 'parts'>;

/** The bytes that are reserved for an upload: what it promises, or the space that many small parts take. */
export function reservedBytes(upload: Extent): number {
  return Math.max(promisedBytes(upload), (upload.parts - freeParts) * leastPartBytes);
}

/** Its length if it is known, or what has arrived. */
function promisedBytes({ length, received }: Extent): number {
  return Math.max(length ?? 0, received);
}

/** `file`: the one that the upload was stored as, if it still exists. */
export function judgeTake(
  upload: ResumableUpload | undefined,
  file: StoredFile | undefined,
  { writer, offset, ...asked }: Asked & { readonly writer: string | undefined; readonly offset: number | undefined },
): Judged<TakeOutcome> {
  if (!isOwn(upload, asked)) return { outcome: { kind: 'unknown' } };
  const status = statusOf(upload, asked.now);
  switch (status) {
    case 'expired':
      return judgeExpired(upload);
    case 'stored':
      return { outcome: { kind: 'stored', upload, file: visible(file, asked.now) } };
    case 'finishing':
      return { outcome: { kind: 'finishing', upload } };
    case 'open': {
      const isThere = offset === undefined || offset === upload.received;
      const next = { ...withoutFinisher(upload), writer: isThere ? writer : undefined };
      const outcome: TakeOutcome = isThere
        ? { kind: 'taken', upload: next }
        : { kind: 'wrong offset', received: upload.received };
      return { outcome, next };
    }
    default:
      return unreachable(status);
  }
}

type AdvanceState = {
  readonly upload: ResumableUpload | undefined;
  readonly owner: OwnerState;
  /** Undefined if the user has never uploaded anything. */
  readonly used: Quota | undefined;
  readonly uploads: readonly OpenUpload[];
  readonly trash: readonly Displaceable[];
  /** How many of the parts are not recorded yet. */
  readonly newParts: number;
};

/** Bytes that are already promised need no room in the quota. Only new bytes prolong the life of the upload. */
export function judgeAdvance(
  { upload, owner, used, uploads, trash, newParts }: AdvanceState,
  ask: Omit<Advance, 'uploadId' | 'parts'>,
): Judged<AdvanceOutcome> {
  const { now, received } = ask;
  const refusal = refuseOwner(owner, undefined);
  if (refusal !== undefined) return { outcome: refusal };
  if (used === undefined || !isOwn(upload, ask) || statusOf(upload, now) !== 'open') return { outcome: 'lost' };
  if (upload.writer !== ask.writer || received < upload.received) return { outcome: 'lost' };
  const parts = upload.parts + newParts;
  if (parts > mostPartsOf(received)) return { outcome: 'too many parts' };
  const expiresAt = received > upload.received ? ask.expiresAt : upload.expiresAt;
  const next = { ...upload, parts, received, length: upload.length ?? ask.length, expiresAt };
  const others = uploads.filter(({ id, leaseUntil }) => id !== upload.id && leaseUntil > now);
  const [isLonger, isWider] = [promisedBytes, reservedBytes].map((count) => count(next) > count(upload));
  const wide = { ...ask.quota, bytes: ask.quota.bytes + partBytesBesides };
  const space = { used, reserved: others };
  const forFile = isLonger
    ? findRoom({ ...space, bytes: promisedBytes(next), quota: ask.quota }, trash)
    : { used, removed: [] };
  if (forFile === undefined) return { outcome: 'full' };
  const forParts = isWider ? findRoom({ ...space, bytes: reservedBytes(next), quota: wide }, trash) : forFile;
  if (forParts === undefined) return { outcome: 'too many parts' };
  // Both take the oldest of the trash first, so one contains the other.
  const room = forParts.removed.length > forFile.removed.length ? forParts : forFile;
  return { outcome: 'advanced', next, ...(room.removed.length > 0 && { room }) };
}

type Begun =
  | Exclude<TakeOutcome, { readonly kind: 'taken' }>
  | { readonly kind: 'begun'; readonly upload: ResumableUpload };

/** The same finisher may begin again if it did not learn its outcome. A caller who is wrong about the length changes nothing. */
export function judgeFinish(
  upload: ResumableUpload | undefined,
  file: StoredFile | undefined,
  { finisher, finishUntil, length, ...asked }: Omit<BeginFinish, 'uploadId'>,
): Judged<Begun> {
  if (!isOwn(upload, asked)) return { outcome: { kind: 'unknown' } };
  const status = statusOf(upload, asked.now);
  switch (status) {
    case 'expired':
      return judgeExpired(upload);
    case 'stored':
      return { outcome: { kind: 'stored', upload, file: visible(file, asked.now) } };
    case 'finishing':
    case 'open': {
      if (status === 'finishing' && upload.finisher !== finisher) return { outcome: { kind: 'finishing', upload } };
      if (upload.received !== length || (upload.length ?? length) !== length)
        return { outcome: { kind: 'wrong offset', received: upload.received } };
      const next = prolong({ ...upload, length, writer: undefined, finisher }, finishUntil);
      return { outcome: { kind: 'begun', upload: next }, next };
    }
    default:
      return unreachable(status);
  }
}

/** Undefined if somebody else stores the file, or if the upload has ended. A lease that nobody took over can be renewed. */
export function renewFinish(
  upload: ResumableUpload | undefined,
  { finisher, finishUntil }: { readonly finisher: string; readonly finishUntil: number },
): ResumableUpload | undefined {
  return isHeldBy(upload, finisher) ? prolong(upload, finishUntil) : undefined;
}

export function leaveFinish(upload: ResumableUpload | undefined, finisher: string): ResumableUpload | undefined {
  return isHeldBy(upload, finisher) ? withoutFinisher(upload) : undefined;
}

/** If it is cancelled, the upload is forgotten. */
export function judgeCancel(
  upload: ResumableUpload | undefined,
  { holder, ...asked }: Omit<Cancellation, 'uploadId'>,
): Judged<CancelOutcome> {
  if (!isOwn(upload, asked)) return { outcome: 'unknown' };
  const status = statusOf(upload, asked.now);
  if (status === 'expired') return { ...judgeExpired(upload), outcome: 'expired' };
  if (status === 'stored') return { outcome: 'stored' };
  if (holder === undefined) return { outcome: status === 'finishing' ? 'finishing' : 'cancelled' };
  return { outcome: holder === upload.writer || holder === upload.finisher ? 'cancelled' : 'lost' };
}

function judgeExpired(upload: ResumableUpload): Judged<UploadGone> {
  // What a client was sent stays true, also for a caller whose clock is behind.
  return { outcome: { kind: 'expired' }, ...(upload.endedAt === undefined && { next: ended(upload) }) };
}

/** The upload never expires during the lease. */
function prolong(upload: ResumableUpload, finishUntil: number): ResumableUpload {
  return { ...upload, finishUntil, expiresAt: Math.max(upload.expiresAt, finishUntil) };
}

function isHeldBy(upload: ResumableUpload | undefined, finisher: string): upload is ResumableUpload {
  return upload?.finisher === finisher && upload.endedAt === undefined;
}
