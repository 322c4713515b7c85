// Takes the bytes of one request into an upload, and tells the store of each step after it is durable.

import { Failure } from '../../kernel/failure.ts';
import type { UserId } from '../../kernel/ids.ts';
import type { FileDeps } from '../deps.ts';
import { ownerFailure } from '../owner-state.ts';
import { checkDigests } from '../uploads/content-digest.ts';
import { createWait } from '../uploads/upload-in-time.ts';
import { findPurpose } from '../uploads/upload-purpose.ts';
import { isPassing, planAppend, withOffset, wrongLength } from './append-rules.ts';
import { endUpload } from './end-upload.ts';
import { finishUpload } from './finish-upload.ts';
import type { UploadPartInfo } from './part-store.ts';
import { flushBytes, type ResumableUpload } from './resumable-upload.ts';
import type { RunningAppend } from './running-uploads.ts';
import { takeBody } from './take-body.ts';
import { isTakenOver, type UploadRequest, type UploadStep, uploadTakenOver } from './upload-request.ts';

/** The upload as it was when this request became its writer. */
type Held = { readonly upload: ResumableUpload; readonly writer: string; readonly running: RunningAppend };

/** The request has ended as an append when its bytes are recorded. Storing the file is not a part of it. */
export async function receiveBytes(deps: FileDeps, held: Held, request: UploadRequest): Promise<UploadStep> {
  const { id, userId, received } = held.upload;
  const { running } = held;
  if (running.isOvertaken()) throw uploadTakenOver();
  let durable = received;
  /** Whether this request is refused in a way that ends the upload. */
  let hasEnded = false;
  const onProgress = (bytes: number) => {
    durable = bytes;
    request.onProgress(bytes);
  };
  let upload: ResumableUpload;
  try {
    upload = await receive(deps, held, { ...request, onProgress }, () => {
      hasEnded = true;
    });
  } catch (error) {
    throw isTakenOver(error) ? error : withOffset(error, durable, hasEnded);
  } finally {
    running.end();
  }
  return request.isComplete ? finishUpload(deps, { uploadId: id, userId, length: durable }) : { kind: 'open', upload };
}

async function receive(
  deps: FileDeps,
  { upload, writer, running }: Held,
  request: UploadRequest,
  onEnd: () => void,
): Promise<ResumableUpload> {
  const end = async (refusal: Failure) => {
    await endUpload(deps, upload, writer);
    onEnd();
    return refusal;
  };
  const { maxBytes } = findPurpose(deps.purposes, upload.purpose);
  const plan = planAppend({ ...upload, maxBytes }, request);
  if ('refusal' in plan) throw plan.endsUpload ? await end(plan.refusal) : plan.refusal;
  const { length } = plan;
  // What is recorded only at its end must be reserved before, or be no more than any request may lose.
  const isWhole = request.digests.length > 0;
  const isSmall = isWhole && length === undefined && plan.bound.bytes > flushBytes;
  const bound = isSmall ? { bytes: flushBytes, refusal: wrongLength() } : plan.bound;
  if (isSmall && (request.bodyLength ?? 0) > flushBytes) throw bound.refusal;
  const place = await enterSpools(deps, upload.userId, bound.bytes);
  const parts = deps.blobs.parts.openWriter(upload.id, upload.received, length);
  // Disconnects and cuts end the body, not the steps that follow it.
  const wait = createWait(deps.uploadTimes, new AbortController().signal);
  let recorded: ResumableUpload = upload;
  /** How many bytes of this request are recorded, or may be. */
  let kept = 0;
  const digest = checkDigests(request.digests);
  /** Durable parts that are not recorded. */
  const flushed = new Map<string, UploadPartInfo>();
  const flush = async () => {
    for (const part of await wait(parts.flush(), 'keep')) flushed.set(part.id, part);
  };
  /** If the store does not take them, the upload stays as it is, and this request ends. */
  const tell = async (grown: readonly UploadPartInfo[], received: number) => {
    const now = deps.clock.now();
    const expiresAt = now + deps.uploadLifeSeconds * 1000;
    const step = { uploadId: upload.id, userId: upload.userId, writer, parts: grown, received, length, expiresAt, now };
    const outcome = await deps.resumables.advance({ ...step, quota: deps.quota });
    if (outcome === 'advanced') return expiresAt;
    kept = recorded.received - upload.received;
    if (outcome === 'lost') throw uploadTakenOver();
    if (outcome === 'gone') throw ownerFailure(outcome);
    if (outcome === 'blocked') throw await end(ownerFailure(outcome));
    if (outcome === 'full') throw new Failure('FILE_QUOTA_EXCEEDED');
    throw await end(new Failure('FILE_MALFORMED'));
  };
  const record = async () => {
    const isReported = recorded.length === length;
    await flush();
    const grown = [...flushed.values()];
    flushed.clear();
    const received = upload.received + parts.size;
    if (grown.length === 0 && isReported) return;
    kept = parts.size;
    const expiresAt = await tell(grown, received);
    recorded = { ...recorded, received, length, expiresAt };
    request.onProgress(received);
  };
  /** Nothing is recorded before its digest is known. A request that is no longer the writer must still learn that. */
  const flushAndAsk = async () => {
    await flush();
    await tell([], recorded.received);
  };
  try {
    if (isWhole) await record();
    const onBytes = { add: digest.add, onFull: isWhole ? flushAndAsk : record };
    const trouble = await takeBody(request, bound, running, parts, wait, onBytes);
    if (running.isOvertaken()) throw uploadTakenOver();
    if (trouble === plan.bound.refusal) throw await end(plan.bound.refusal);
    if (isWhole && trouble !== undefined) throw trouble;
    digest.finish();
    await record();
    if (trouble !== undefined) throw trouble;
    if (request.isComplete && length !== undefined && recorded.received < length) throw wrongLength();
    return recorded;
  } finally {
    deps.runningUploads.follow(parts.close(kept));
    place.leave();
  }
}

/** What a writer holds on the local disk counts there. Whatever is refused for it now can be sent later. */
async function enterSpools({ blobs, spoolBudget }: FileDeps, userId: UserId, mostBytes: number) {
  const bytes = Math.min(blobs.parts.spooledBytes, mostBytes);
  if (bytes === 0) return { leave: () => undefined };
  await spoolBudget.look();
  try {
    return spoolBudget.enter(userId, bytes);
  } catch (error) {
    throw isPassing(error) ? error : new Failure('STORAGE_UNAVAILABLE', { retryAfterSeconds: 30 }, error);
  }
}
