// The last steps of every upload: examines, scans and stores the spooled file, then settles its record.

import type { BackendAct } from '../../kernel/audit.ts';
import { Failure } from '../../kernel/failure.ts';
import type { UserId } from '../../kernel/ids.ts';
import type { FileDeps } from '../deps.ts';
import { ownerFailure } from '../owner-state.ts';
import type { Purpose } from '../purpose.ts';
import type { Spool } from '../spool/spool.ts';
import type { KnownUpload, ReservationId, StoredFile } from '../stored-file.ts';
import { removeBytes } from '../sweeps/remove-bytes.ts';
import { retentionOf } from '../trash/trash-rules.ts';
import { nameOtherPurpose } from './name-other-purpose.ts';
import { scanFile } from './scan-file.ts';
import { type Kept, keepInTime, type Wait } from './upload-in-time.ts';
import { tooLarge } from './upload-purpose.ts';

export type StoreDeps = Pick<
  FileDeps,
  | 'clock'
  | 'files'
  | 'blobs'
  | 'removals'
  | 'newFileIds'
  | 'examiner'
  | 'scanning'
  | 'purposes'
  | 'quota'
  | 'uploadTimes'
>;

type SpooledUpload = {
  readonly id: ReservationId;
  readonly userId: UserId;
  /** Given if the back end uploads on behalf of the owner. */
  readonly by?: BackendAct | undefined;
  readonly purpose: Purpose;
  /** As sent by the client. */
  readonly name: string | undefined;
  readonly declaredType: string | undefined;
  readonly digest: string | undefined;
  readonly keyId: string | undefined;
  /** True if it came in several requests. */
  readonly isResumable?: true;
};

const late = 'the file was stored so late that its bytes may be gone';
const keySeconds = 86_400;
/** The settlement may wait for the database that long, and still makes a file. */
const settleMilliseconds = 60_000;

export async function storeUpload(
  deps: StoreDeps,
  upload: SpooledUpload,
  spool: Spool,
  wait: Wait,
): Promise<StoredFile> {
  const kept = await keepInTime(deps, (signal) => keep(deps, upload, spool, signal), wait);
  return settle(deps, upload, kept);
}

/** The same key and the same bytes get the same reply, even if the file was deleted since. */
export function repeatUpload(known: KnownUpload, fingerprint: string): StoredFile {
  if (known.fingerprint !== fingerprint) throw new Failure('IDEMPOTENCY_KEY_REUSED');
  return known.file;
}

async function keep(deps: StoreDeps, upload: SpooledUpload, spool: Spool, signal: AbortSignal): Promise<Kept> {
  const { id: uploadId, userId, by, purpose, name, declaredType, digest, keyId } = upload;
  if (spool.size > purpose.maxBytes) throw tooLarge(purpose.maxBytes);
  if (spool.size === 0) throw new Failure('FILE_EMPTY');
  const question = { purpose, name, declaredType, digest, needsFingerprint: keyId !== undefined };
  const {
    examined,
    kept,
    fingerprint = '',
  } = await deps.examiner.examine(userId, spool, question).catch((error) => {
    throw nameOtherPurpose(error, deps.purposes, { purpose, size: spool.size });
  });
  signal.throwIfAborted();
  await scanFile(deps, { uploadId, userId, purpose: purpose.name, ...(by && { by }), ...kept, spool, signal });
  const id = await deps.newFileIds.take(deps.uploadTimes.keepMilliseconds + settleMilliseconds);
  signal.throwIfAborted();
  // A storage that gives no answer in time may still store it. It is noted, so its bytes go then.
  await deps.blobs.keep(spool, id, kept.sha256, signal);
  const createdAt = deps.clock.now();
  const retention = retentionOf(purpose, createdAt);
  const file = { id, userId, purpose: purpose.name, ...examined, ...kept, createdAt, ...retention };
  return { file, fingerprint };
}

/** Ignores aborts from here on. The reply follows the decision of the store. After a kill before it, the blob is noted, and goes. */
async function settle(
  deps: StoreDeps,
  { id: uploadId, keyId, by, isResumable }: SpooledUpload,
  { file, fingerprint }: Kept,
): Promise<StoredFile> {
  const now = file.createdAt;
  const key = keyId === undefined ? undefined : { id: keyId, fingerprint, keptUntil: now + keySeconds * 1000 };
  const who = { ...(by && { by }), ...(isResumable && { isResumable }) };
  const settlement = { uploadId, file, quota: deps.quota, key, now, ...who };
  const outcome = await deps.files.settle(settlement).catch((error: unknown) => findOutcome(deps, file, error));
  if (outcome.kind === 'stored') return file;
  await removeBytes(deps, [file.id], now);
  if (outcome.kind === 'known') return repeatUpload(outcome, fingerprint);
  if (outcome.kind === 'stored before') return outcome.file;
  if (outcome.kind === 'ended') throw new Failure('UPLOAD_NOT_FOUND');
  if (outcome.kind === 'gone' || outcome.kind === 'blocked') throw ownerFailure(outcome.kind, by);
  if (outcome.kind === 'late') {
    deps.newFileIds.renew(file.id);
    throw new Failure('STORAGE_UNAVAILABLE', { retryAfterSeconds: 5 }, new Error(late));
  }
  throw new Failure('FILE_QUOTA_EXCEEDED');
}

/** The outcome of the commit is unknown, so the record decides. Without a record the note expires later, and the bytes go then. */
async function findOutcome(deps: StoreDeps, { userId, id }: StoredFile, error: unknown) {
  const isStored = await deps.files.isStored({ userId, id }).catch(() => Promise.reject(error));
  if (isStored) return { kind: 'stored' } as const;
  throw error;
}
