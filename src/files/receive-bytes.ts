// Takes the bytes of one request into an upload, and tells the store of each step after it is durable.
import { Failure } from '../kernel/failure.ts';
import { isPassing, planAppend, withOffset, wrongLength } from './append-rules.ts';
import type { BodyBound } from './body-bound.ts';
import type { FileDeps } from './deps.ts';
import { endUpload } from './end-upload.ts';
import { finishUpload } from './finish-upload.ts';
import { createGathered } from './gather.ts';
import type { PartWriter } from './part-store.ts';
import { type NextChunk, readUntil } from './read-until.ts';
import { flushBytes, type ResumableUpload } from './resumable-upload.ts';
import type { CutReason, RunningAppend } from './running-uploads.ts';
import { createWait, type Wait } from './upload-in-time.ts';
import { findPurpose } from './upload-purpose.ts';
import { type UploadRequest, type UploadStep, UploadTakenOver } from './upload-request.ts';

/** The upload as it was when this request became its writer. */
type Held = { readonly upload: ResumableUpload; readonly writer: string };

export async function receiveBytes(deps: FileDeps, held: Held, request: UploadRequest): Promise<UploadStep> {
  const { id, userId, received } = held.upload;
  const running = deps.runningUploads.begin(id, userId);
  let durable = received;
  const onProgress = (bytes: number) => {
    durable = bytes;
    request.onProgress(bytes);
  };
  let upload: ResumableUpload;
  try {
    upload = await receive(deps, held, { ...request, onProgress }, running);
  } catch (error) {
    throw error instanceof UploadTakenOver ? error : withOffset(error, durable, error instanceof EndingRefusal);
  } finally {
    running.end();
  }
  return request.isComplete ? finishUpload(deps, { uploadId: id, userId, length: durable }) : { kind: 'open', upload };
}

/** A refusal that has ended the upload. */
class EndingRefusal extends Failure {}

async function receive(
  deps: FileDeps,
  { upload, writer }: Held,
  request: UploadRequest,
  running: RunningAppend,
): Promise<ResumableUpload> {
  const end = async (refusal: Failure) => {
    await endUpload(deps, upload, writer);
    return new EndingRefusal(refusal.code, refusal.detail);
  };
  const { maxBytes } = findPurpose(deps.purposes, upload.purpose);
  const plan = planAppend({ ...upload, maxBytes }, request);
  if ('refusal' in plan) throw plan.endsUpload ? await end(plan.refusal) : plan.refusal;
  const { length, bound } = plan;
  const place = await enterSpools(deps, upload.userId, bound.bytes);
  const parts = deps.blobs.parts.openWriter(upload.id, upload.received, length);
  // Disconnects and cuts end the body, not the steps that follow it.
  const wait = createWait(deps.uploadTimes, new AbortController().signal);
  let recorded: ResumableUpload = upload;
  /** How many bytes of this request are recorded, or may be. */
  let kept = 0;
  const record = async () => {
    const isTold = recorded.length === length;
    const grown = await wait(parts.flush(), 'keep');
    const received = upload.received + parts.size;
    if (grown.length === 0 && isTold) return;
    const now = deps.clock.now();
    const expiresAt = now + deps.uploadLifeSeconds * 1000;
    const keptBefore = kept;
    kept = parts.size;
    const step = { uploadId: upload.id, userId: upload.userId, writer, parts: grown, received, length, expiresAt, now };
    const outcome = await deps.resumables.advance({ ...step, quota: deps.quota });
    if (outcome !== 'advanced') kept = keptBefore;
    if (outcome === 'lost') throw new UploadTakenOver();
    if (outcome === 'full') throw new Failure('FILE_QUOTA_EXCEEDED');
    if (outcome === 'too many parts') throw await end(new Failure('FILE_MALFORMED'));
    recorded = { ...recorded, received, length, expiresAt };
    request.onProgress(received);
  };
  try {
    const trouble = await takeBody(request, bound, running, parts, wait, record);
    if (running.signal.reason === ('taken over' satisfies CutReason)) throw new UploadTakenOver();
    if (trouble === bound.refusal) throw await end(bound.refusal);
    await record();
    if (trouble !== undefined) throw trouble;
    if (request.isComplete && length !== undefined && recorded.received < length) throw wrongLength();
    return recorded;
  } finally {
    deps.runningUploads.follow(parts.close(kept));
    place.leave();
  }
}

/** Why the body ended early, or undefined at its end. Errors of the storage are thrown. */
async function takeBody(
  request: UploadRequest,
  bound: BodyBound,
  running: RunningAppend,
  parts: PartWriter,
  wait: Wait,
  record: () => Promise<void>,
): Promise<unknown> {
  if (request.bodyLength === 0) return undefined;
  const gathered = createGathered((bytes) => parts.write(bytes), {
    inTime: (writing) => wait(writing, 'step'),
    isLarge: true,
  });
  /** Bytes of this request that have arrived, and of these, those that are not recorded. */
  let [arrived, unrecorded] = [0, 0];
  const signal = AbortSignal.any([request.signal, running.signal]);
  const body = readUntil(request.body(bound), signal);
  try {
    for (;;) {
      const next = await body.next();
      if (next.kind !== 'chunk') {
        await gathered.flush();
        return troubleOf(next, running.signal);
      }
      arrived += next.chunk.length;
      if (arrived > bound.bytes) return bound.refusal;
      for (let at = 0; at < next.chunk.length; ) {
        const piece = next.chunk.subarray(at, at + flushBytes - unrecorded);
        await gathered.write(piece);
        at += piece.length;
        unrecorded += piece.length;
        if (unrecorded < flushBytes) continue;
        await gathered.flush();
        await record();
        unrecorded = 0;
      }
    }
  } finally {
    gathered.end();
  }
}

/** Undefined at the end of the body. */
function troubleOf(next: Exclude<NextChunk, { kind: 'chunk' }>, signal: AbortSignal): unknown {
  if (next.kind === 'failed') return next.error;
  return next.kind === 'cut' ? reasonOf(signal) : undefined;
}

/** The client has disconnected, or a newer request wants to know the offset, or the service stops. */
function reasonOf({ aborted, reason }: AbortSignal): Failure {
  if (!aborted) return new Failure('FILE_INCOMPLETE');
  if (reason === ('stopping' satisfies CutReason)) return new Failure('SERVICE_UNAVAILABLE', { retryAfterSeconds: 1 });
  return new UploadTakenOver();
}

/** What a writer holds on the local disk counts there. Whatever is refused for it now can be sent later. */
async function enterSpools({ blobs, spoolBudget }: FileDeps, userId: string, mostBytes: number) {
  const bytes = Math.min(blobs.parts.spooledBytes, mostBytes);
  if (bytes === 0) return { leave: () => undefined };
  await spoolBudget.look();
  try {
    return spoolBudget.enter(userId, bytes);
  } catch (error) {
    throw isPassing(error) ? error : new Failure('STORAGE_UNAVAILABLE', { retryAfterSeconds: 30 }, error);
  }
}
