// Use case: append the bytes of a request to an upload, and store the file if they are the last.
import { unreachable } from '../kernel/closed-list.ts';
import { Failure } from '../kernel/failure.ts';
import { newId } from '../kernel/random.ts';
import { withOffset, wrongOffset } from './append-rules.ts';
import type { FileDeps } from './deps.ts';
import { receiveBytes } from './receive-bytes.ts';
import { isUploadId, type TakeOutcome } from './resumable-upload.ts';
import { goneUpload, repeatStored } from './upload-answers.ts';
import type { UploadRequest, UploadStep } from './upload-request.ts';

export type AppendUpload = UploadRequest & {
  readonly uploadId: string;
  readonly userId: string;
  readonly offset: number;
};

/** Throws UploadTakenOver if a newer request takes the upload. */
export async function appendUpload(deps: FileDeps, input: AppendUpload): Promise<UploadStep> {
  const { uploadId, userId, offset } = input;
  if (!isUploadId(uploadId)) throw goneUpload({ kind: 'unknown' });
  const writer = newId();
  const outcome = await deps.resumables.take({ uploadId, userId, writer, offset, now: deps.clock.now() });
  if (outcome.kind === 'taken') return receiveBytes(deps, { upload: outcome.upload, writer }, input);
  return answer(deps, input, outcome);
}

type NotTaken = Exclude<TakeOutcome, { readonly kind: 'taken' }>;

function answer(deps: FileDeps, input: AppendUpload, outcome: NotTaken): Promise<UploadStep> | UploadStep {
  const { uploadId, userId, offset, isComplete } = input;
  switch (outcome.kind) {
    case 'unknown':
    case 'expired':
      throw goneUpload(outcome);
    case 'wrong offset':
      // The store has taken the upload from an older request, so that the offset stays as told.
      void deps.runningUploads.cut(uploadId, userId, 'taken over');
      throw wrongOffset(outcome.received);
    // All bytes are there. Only the last request can be repeated.
    case 'stored':
      if (!isComplete || offset !== outcome.upload.received) throw wrongOffset(outcome.upload.received);
      return repeatStored(outcome);
    case 'finishing':
      if (!isComplete || offset !== outcome.upload.received) throw wrongOffset(outcome.upload.received);
      return deps.runningUploads.finishing(uploadId) ?? Promise.reject(inProgress(outcome.upload.received));
    default:
      return unreachable(outcome);
  }
}

function inProgress(received: number): unknown {
  return withOffset(new Failure('UPLOAD_IN_PROGRESS', { retryAfterSeconds: 1 }), received, false);
}
