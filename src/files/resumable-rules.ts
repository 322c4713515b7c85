// The rules of an upload in several requests: who may append, who stores the file, and when it ends. Of two callers, one wins.
import { unreachable } from '../kernel/closed-list.ts';
import { fitsQuota, type Quota } from './quota.ts';
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
import type { StoredFile } from './stored-file.ts';
import type { OpenUpload } from './upload-rules.ts';

/** What the smallest file takes on a disk. */
const leastPartBytes = 4096;
/** So many parts cost nothing besides their bytes. */
const freeParts = 16;

/** The bytes that are reserved for an upload: its length if it is known, or what has arrived, or the space that many small parts take. */
export function reservedBytes({
  length,
  received,
  parts,
}: Pick<ResumableUpload, 'length' | 'received' | 'parts'>): number {
  return Math.max(length ?? 0, received, (parts - freeParts) * leastPartBytes);
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
  /** Undefined if the user was deleted. */
  readonly used: Quota | undefined;
  readonly uploads: readonly OpenUpload[];
  /** How many of the parts are not recorded yet. */
  readonly newParts: number;
};

/** Bytes that are already reserved need no room. Only new bytes prolong the life of the upload. */
export function judgeAdvance(
  { upload, used, uploads, newParts }: AdvanceState,
  ask: Omit<Advance, 'uploadId' | 'parts'>,
): Judged<AdvanceOutcome> {
  const { now, received } = ask;
  if (used === undefined || !isOwn(upload, ask) || statusOf(upload, now) !== 'open') return { outcome: 'lost' };
  if (upload.writer !== ask.writer || received < upload.received) return { outcome: 'lost' };
  const parts = upload.parts + newParts;
  if (parts > mostPartsOf(received)) return { outcome: 'too many parts' };
  const expiresAt = received > upload.received ? ask.expiresAt : upload.expiresAt;
  const next = { ...upload, parts, received, length: upload.length ?? ask.length, expiresAt };
  const others = uploads.filter(({ id, leaseUntil }) => id !== upload.id && leaseUntil > now);
  const isGrowing = reservedBytes(next) > reservedBytes(upload);
  if (isGrowing && !fitsQuota(used, others, reservedBytes(next), ask.quota)) return { outcome: 'full' };
  return { outcome: 'advanced', next };
}

type Begun =
  | Exclude<TakeOutcome, { readonly kind: 'taken' }>
  | { readonly kind: 'begun'; readonly upload: ResumableUpload };

/** The same finisher may begin again, if it has not learnt its outcome. A caller who is wrong about the length changes nothing. */
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
  // What a client was told stays true, also for a caller whose clock is behind.
  return { outcome: { kind: 'expired' }, ...(upload.endedAt === undefined && { next: ended(upload) }) };
}

/** The upload never expires during the lease. */
function prolong(upload: ResumableUpload, finishUntil: number): ResumableUpload {
  return { ...upload, finishUntil, expiresAt: Math.max(upload.expiresAt, finishUntil) };
}

function isHeldBy(upload: ResumableUpload | undefined, finisher: string): upload is ResumableUpload {
  return upload?.finisher === finisher && upload.endedAt === undefined;
}
