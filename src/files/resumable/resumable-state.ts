// The states of an upload in several requests: open, being stored, stored or expired; and the rules of its end.
import type { FileId, UserId } from '../../kernel/ids.ts';
import { unreachable } from '../../kernel/text/closed-list.ts';
import type { Settlement, SettlementOutcome, StoredFile } from '../stored-file.ts';
import { isVisible } from '../trash/trash-rules.ts';
import type { Room } from '../uploads/room.ts';
import { type ResumableUpload, rememberSeconds } from './resumable-upload.ts';

/** How long after an ended upload was listed it is listed again if its parts were not removed. */
const relistMilliseconds = 3_600_000;

/** The next state, if it changes, and the files in the trash that make way for it. */
export type Judged<Outcome> = { readonly outcome: Outcome; readonly next?: ResumableUpload; readonly room?: Room };

export type Asked = { readonly userId: UserId; readonly now: number };

export function statusOf(upload: ResumableUpload, now: number): 'open' | 'finishing' | 'stored' | 'expired' {
  if (upload.fileId !== undefined) return 'stored';
  if (upload.endedAt !== undefined || upload.expiresAt <= now) return 'expired';
  return upload.finishUntil !== undefined && upload.finishUntil > now ? 'finishing' : 'open';
}

/** Why the upload can no longer be settled; undefined if it can. Of several finishers the first one stores the file. */
export function refuseSettlement(
  upload: ResumableUpload | undefined,
  file: StoredFile | undefined,
  { userId, now }: Asked,
): SettlementOutcome | undefined {
  if (!isOwn(upload, { userId })) return { kind: 'ended' };
  const status = statusOf(upload, now);
  switch (status) {
    case 'stored': {
      const stored = visible(file, now);
      return stored === undefined ? { kind: 'ended' } : { kind: 'stored before', file: stored };
    }
    case 'expired':
      return { kind: 'ended' };
    case 'open':
    case 'finishing':
      return undefined;
    default:
      return unreachable(status);
  }
}

/** An infected upload is forgotten, unless another caller has stored it before. */
export function isRefused(upload: ResumableUpload | undefined, asked: Pick<Asked, 'userId'>): boolean {
  return isOwn(upload, asked) && upload.fileId === undefined;
}

/** The upload after its settlement: it leads to a file, or is forgotten. */
export function endBySettlement(
  upload: ResumableUpload,
  outcome: SettlementOutcome,
  { file, key, now }: Pick<Settlement, 'file' | 'key' | 'now'>,
): ResumableUpload | undefined {
  const storedAs = (fileId: FileId) => ({ ...withoutFinisher(upload), writer: undefined, fileId, endedAt: now });
  if (outcome.kind === 'stored') return storedAs(file.id);
  return outcome.kind === 'known' && outcome.fingerprint === key?.fingerprint ? storedAs(outcome.file.id) : undefined;
}

/** When the sweep looks at the upload: as soon as it ends. */
export function sweepTimeOf({ expiresAt, endedAt }: ResumableUpload): number {
  return endedAt ?? expiresAt;
}

/** A listed upload has ended for good. */
export function listForSweep(upload: ResumableUpload, now: number): { next: ResumableUpload; sweepAt: number } {
  return { next: upload.endedAt === undefined ? ended(upload) : upload, sweepAt: now + relistMilliseconds };
}

/** After its parts were removed: until when it is remembered. Undefined if that is over; then it goes. */
export function rememberUntil(endedAt: number, now: number): number | undefined {
  const until = endedAt + rememberSeconds * 1000;
  return until > now ? until : undefined;
}

export function ended(upload: ResumableUpload): ResumableUpload {
  return { ...withoutFinisher(upload), writer: undefined, endedAt: upload.endedAt ?? upload.expiresAt };
}

export function withoutFinisher(upload: ResumableUpload): ResumableUpload {
  return { ...upload, finisher: undefined, finishUntil: undefined };
}

export function isOwn(
  upload: ResumableUpload | undefined,
  { userId }: Pick<Asked, 'userId'>,
): upload is ResumableUpload {
  return upload?.userId === userId;
}

/** A file in the trash, or one whose time is over, is gone for everybody. */
export function visible(file: StoredFile | undefined, now: number): StoredFile | undefined {
  return file !== undefined && isVisible(file, now) ? file : undefined;
}
