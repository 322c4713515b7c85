// Use case: store a file. All request forms use it, so the same rules apply to each.

import { sha256 } from '../kernel/digest.ts';
import { Failure } from '../kernel/failure.ts';
import { formatBytes } from '../kernel/format-bytes.ts';
import { newId } from '../kernel/random.ts';
import type { Spool } from './blob-store.ts';
import type { FileDeps } from './deps.ts';
import type { Purpose } from './purpose.ts';
import { removeBlobs } from './remove-blobs.ts';
import type { SpoolPlace } from './spool-budget.ts';
import { type KnownUpload, newFileId, type StoredFile } from './stored-file.ts';
import { type Taken, takeParts, type UploadPart } from './take-parts.ts';
import { createWait, type Kept, keepInTime, openInTime, writeInTime } from './upload-in-time.ts';

export type UploadFile = {
  readonly userId: string;
  /** From the query or a header, so it is known before the body. */
  readonly purpose: string | undefined;
  /** The declared length of the whole request body. With `isBare` the body is the file itself. */
  readonly bodyLength: number | undefined;
  readonly isBare: boolean;
  readonly idempotencyKey: string | undefined;
  /** SHA-256 of the bytes as sent, in base64. */
  readonly digest: string | undefined;
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal;
  /** Called after all checks that do not need the body. */
  readonly parts: (bound: BodyBound) => AsyncIterable<UploadPart>;
};

/** The maximum size of the whole body, and the error for a larger one. */
export type BodyBound = { readonly bytes: number; readonly refusal: Failure };

type Deps = Pick<
  FileDeps,
  'clock' | 'files' | 'blobs' | 'sweeps' | 'examiner' | 'purposes' | 'quota' | 'spoolBudget' | 'uploadTimes'
>;

const keySeconds = 86_400;
/** How many bytes a multipart body may have besides the file. */
const framingBytes = 16 * 1024;
const usualFramingBytes = 1024;

export async function uploadFile(deps: Deps, input: UploadFile): Promise<StoredFile> {
  const purpose = input.purpose === undefined ? undefined : findPurpose(deps.purposes, input.purpose);
  const maxBytes = purpose?.maxBytes ?? Math.max(...deps.purposes.map((each) => each.maxBytes));
  const slack = input.isBare ? 0 : framingBytes;
  if ((input.bodyLength ?? 0) > maxBytes + slack) throw tooLarge(maxBytes);
  deps.examiner.admit(input.userId);
  await deps.spoolBudget.look();
  const place = deps.spoolBudget.enter(input.userId, input.bodyLength);
  try {
    const upload = await reserve(deps, input);
    const stopHolding = keepHolding(deps, upload.id);
    try {
      return await take(deps, input, upload, place, maxBytes, slack);
    } catch (error) {
      await deps.files.release(upload.id).catch(() => undefined);
      throw error;
    } finally {
      stopHolding();
    }
  } finally {
    place.leave();
  }
}

type Held = { readonly id: string; readonly keyId: string | undefined; readonly known: KnownUpload | undefined };

async function take(
  deps: Deps,
  input: UploadFile,
  upload: Held,
  place: SpoolPlace,
  maxBytes: number,
  slack: number,
): Promise<StoredFile> {
  const wait = createWait(deps.uploadTimes, input.signal);
  const spool = await openInTime(deps.blobs, wait);
  try {
    const bound = { bytes: maxBytes + slack, refusal: tooLarge(maxBytes) };
    const taken = await takeParts(input.parts(bound), writeInTime(spool, wait), place, maxBytes);
    if (upload.known !== undefined)
      return repeat(upload.known, await wait(deps.examiner.fingerprint(input.userId, spool), 'keep'));
    const settled = findSettledPurpose(deps.purposes, input.purpose, taken);
    const needsFingerprint = upload.keyId !== undefined;
    const keeping = (signal: AbortSignal) => keep(deps, { ...input, needsFingerprint }, settled, taken, spool, signal);
    const { file, fingerprint } = await keepInTime(deps, keeping, wait);
    return await settle(deps, file, { id: upload.id, keyId: upload.keyId, fingerprint });
  } finally {
    await wait(spool.discard(), 'release').catch(() => undefined);
  }
}

async function reserve({ files, quota, clock, uploadTimes }: Deps, input: UploadFile) {
  const now = clock.now();
  const id = newId();
  const keyId = input.idempotencyKey === undefined ? undefined : sha256(`${input.userId} ${input.idempotencyKey}`);
  const declared = input.bodyLength ?? 0;
  const bytes = input.isBare ? declared : Math.max(0, declared - usualFramingBytes);
  const outcome = await files.reserve({
    uploadId: id,
    userId: input.userId,
    bytes,
    quota,
    keyId,
    leaseUntil: now + uploadTimes.leaseMilliseconds,
    now,
  });
  if (outcome.kind === 'full') throw new Failure('FILE_QUOTA_EXCEEDED');
  if (outcome.kind === 'gone') throw new Failure('SESSION_REVOKED');
  if (outcome.kind === 'in progress') throw new Failure('UPLOAD_IN_PROGRESS', { retryAfterSeconds: 1 });
  return { id, keyId, known: outcome.kind === 'known' ? outcome : undefined };
}

function keepHolding({ files, clock, uploadTimes }: Deps, uploadId: string): () => void {
  const { leaseMilliseconds } = uploadTimes;
  const timer = setInterval(() => {
    files.hold({ uploadId, leaseUntil: clock.now() + leaseMilliseconds }).catch(() => undefined);
  }, leaseMilliseconds / 3);
  timer.unref();
  return () => clearInterval(timer);
}

/** The same key and the same bytes get the same reply, even if the file was deleted since. */
function repeat(known: KnownUpload, fingerprint: string): StoredFile {
  if (known.fingerprint !== fingerprint) throw new Failure('IDEMPOTENCY_KEY_REUSED');
  return known.file;
}

type Holding = { readonly id: string; readonly keyId: string | undefined; readonly fingerprint: string };

async function keep(
  deps: Deps,
  input: UploadFile & { readonly needsFingerprint: boolean },
  purpose: Purpose,
  taken: Taken,
  spool: Spool,
  signal: AbortSignal,
): Promise<Kept> {
  if (spool.size > purpose.maxBytes) throw tooLarge(purpose.maxBytes);
  if (spool.size === 0) throw new Failure('FILE_EMPTY');
  const { userId, digest, needsFingerprint } = input;
  const { name, declaredType } = taken;
  const question = { purpose, name, declaredType, digest, needsFingerprint };
  const { examined, kept, fingerprint = '' } = await deps.examiner.examine(userId, spool, question);
  const id = newFileId();
  signal.throwIfAborted();
  await deps.blobs.keep(spool, id, kept.sha256, signal);
  const file = { id, userId, purpose: purpose.name, ...examined, ...kept, createdAt: deps.clock.now() };
  return { file, fingerprint };
}

/** Ignores aborts from here on. The reply to the client follows the decision of the store. */
async function settle(deps: Deps, file: StoredFile, holding: Holding): Promise<StoredFile> {
  const now = file.createdAt;
  const key =
    holding.keyId === undefined
      ? undefined
      : { id: holding.keyId, fingerprint: holding.fingerprint, keptUntil: now + keySeconds * 1000 };
  const settlement = { uploadId: holding.id, file, quota: deps.quota, key, now };
  const outcome = await deps.files.settle(settlement).catch((error: unknown) => findOutcome(deps, file, error));
  if (outcome.kind === 'stored') return file;
  await removeBlobs(deps, [file.id]);
  if (outcome.kind === 'known') return repeat(outcome, holding.fingerprint);
  if (outcome.kind === 'gone') throw new Failure('SESSION_REVOKED');
  throw new Failure('FILE_QUOTA_EXCEEDED');
}

/** The outcome of the commit is unknown, so the record decides. If it cannot be read, the sweep removes an orphan blob later. */
async function findOutcome(deps: Deps, { userId, id }: StoredFile, error: unknown) {
  const isStored = await deps.files.isStored({ userId, id }).catch(() => Promise.reject(error));
  if (isStored) return { kind: 'stored' } as const;
  await removeBlobs(deps, [id]);
  throw error;
}

/** If the purpose is given twice, both must match. */
function findSettledPurpose(
  purposes: readonly Purpose[],
  early: string | undefined,
  { purpose: late }: Taken,
): Purpose {
  if (early !== undefined && late !== undefined && early !== late)
    throw new Failure('REQUEST_INVALID', { field: 'purpose' });
  const name = early ?? late;
  if (name === undefined) throw new Failure('FILE_PURPOSE_REQUIRED', { list: namesOf(purposes) });
  return findPurpose(purposes, name);
}

function findPurpose(purposes: readonly Purpose[], name: string): Purpose {
  const purpose = purposes.find((each) => each.name === name);
  if (purpose === undefined) throw new Failure('FILE_PURPOSE_UNKNOWN', { list: namesOf(purposes) });
  return purpose;
}

function namesOf(purposes: readonly Purpose[]): string {
  return purposes.map((purpose) => purpose.name).join(', ');
}

function tooLarge(maxBytes: number): Failure {
  return new Failure('FILE_TOO_LARGE', { limit: formatBytes(maxBytes) });
}
