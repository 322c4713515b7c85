// The end of an upload in several requests: its parts become one spool, which is stored like the file of a plain upload.

import { newId } from '../../kernel/crypto/random.ts';
import { Failure } from '../../kernel/failure.ts';
import type { UploadId, UserId } from '../../kernel/ids.ts';
import type { FileDeps } from '../deps.ts';
import type { Spool } from '../spool/spool.ts';
import type { StoredFile } from '../stored-file.ts';
import { storeUpload } from '../uploads/store-upload.ts';
import { createWait, type Wait } from '../uploads/upload-in-time.ts';
import { findPurpose } from '../uploads/upload-purpose.ts';
import { finishTimesOf } from '../uploads/upload-times.ts';
import { isPassing, withOffset, wrongOffset } from './append-rules.ts';
import { dropParts, endUpload } from './end-upload.ts';
import type { UploadPartInfo } from './part-store.ts';
import type { ResumableUpload } from './resumable-upload.ts';
import { goneUpload, inProgress, repeatStored } from './upload-answers.ts';
import type { UploadStep } from './upload-request.ts';

const cure = 'let all nodes share one storage, and nothing else remove what is in its folder uploads';

type FinishUpload = { readonly uploadId: UploadId; readonly userId: UserId; readonly length: number };

/** It goes on if the client disconnects. Requests on this node that ask for the same wait for the same result. */
export function finishUpload(deps: FileDeps, input: FinishUpload): Promise<UploadStep> {
  return deps.runningUploads.finish(input.uploadId, () => begin(deps, input));
}

async function begin(deps: FileDeps, input: FinishUpload): Promise<UploadStep> {
  const now = deps.clock.now();
  const finisher = newId();
  const finishUntil = now + deps.uploadTimes.leaseMilliseconds;
  const outcome = await deps.resumables.beginFinish({ ...input, now, finisher, finishUntil });
  if (outcome.kind === 'begun') return finish(deps, outcome.upload, outcome.parts, finisher);
  if (outcome.kind === 'stored') return repeatStored(outcome);
  if (outcome.kind === 'finishing')
    throw withOffset(inProgress(outcome.upload.finishUntil, now), outcome.upload.received, false);
  if (outcome.kind === 'wrong offset') throw wrongOffset(outcome.received);
  throw goneUpload(outcome);
}

async function finish(
  deps: FileDeps,
  upload: ResumableUpload,
  parts: readonly UploadPartInfo[],
  finisher: string,
): Promise<UploadStep> {
  const { id: uploadId, received } = upload;
  const taken = new AbortController();
  const stopHolding = keepHolding(deps, uploadId, finisher, () => taken.abort());
  try {
    const file = await store(deps, upload, parts, taken.signal);
    dropParts(deps, uploadId);
    return { kind: 'stored', file, received };
  } catch (error) {
    if (taken.signal.aborted) throw withOffset(inProgress(undefined, deps.clock.now()), received, false);
    const isFinal = !isPassing(error);
    const hasEnded = isFinal && (await endUpload(deps, upload, finisher));
    if (hasEnded && error instanceof Failure && error.code === 'UPLOAD_NOT_FOUND')
      deps.log.warn('an upload has ended, because bytes of it are missing in the storage', {
        upload: uploadId,
        cure,
        error,
      });
    if (!isFinal) await deps.resumables.leaveFinish({ uploadId, finisher }).catch(() => undefined);
    throw withOffset(error, received, isFinal);
  } finally {
    stopHolding();
  }
}

async function store(
  deps: FileDeps,
  upload: ResumableUpload,
  parts: readonly UploadPartInfo[],
  signal: AbortSignal,
): Promise<StoredFile> {
  const { userId, received } = upload;
  const timed = { ...deps, uploadTimes: finishTimesOf(deps.uploadTimes, received) };
  const wait = createWait(timed.uploadTimes, signal);
  await deps.spoolBudget.look();
  const place = enterSpools(deps, userId, received);
  try {
    const spool = await assembleInTime(deps, upload.id, parts, wait);
    try {
      const purpose = findPurpose(deps.purposes, upload.purpose);
      return await storeUpload(timed, { ...upload, purpose, isResumable: true }, spool, wait);
    } finally {
      await wait(spool.discard(), 'release').catch(() => undefined);
    }
  } finally {
    place.leave();
  }
}

/** However many uploads of the user are stored at this moment: the upload can wait for its turn. */
function enterSpools({ spoolBudget }: FileDeps, userId: UserId, bytes: number) {
  try {
    return spoolBudget.enter(userId, bytes);
  } catch (error) {
    throw isPassing(error) ? error : new Failure('STORAGE_UNAVAILABLE', { retryAfterSeconds: 30 }, error);
  }
}

function assembleInTime(
  { blobs }: FileDeps,
  uploadId: UploadId,
  parts: readonly UploadPartInfo[],
  wait: Wait,
): Promise<Spool> {
  const assembling = blobs.parts.assemble(uploadId, parts);
  return wait(assembling, 'keep').catch((error: unknown) => {
    assembling.then((spool) => spool.discard()).catch(() => undefined);
    throw error;
  });
}

function keepHolding(
  { resumables, clock, uploadTimes }: FileDeps,
  uploadId: UploadId,
  finisher: string,
  onTaken: () => void,
): () => void {
  const { leaseMilliseconds } = uploadTimes;
  const hold = async () => {
    const isHeld = await resumables.holdFinish({ uploadId, finisher, finishUntil: clock.now() + leaseMilliseconds });
    if (!isHeld) onTaken();
  };
  const timer = setInterval(() => hold().catch(() => undefined), leaseMilliseconds / 3);
  timer.unref();
  return () => clearInterval(timer);
}
