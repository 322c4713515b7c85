// Use case: append the bytes of a request to an upload, and store the file if they are the last.

import { newId } from '../../kernel/crypto/random.ts';
import type { Failure } from '../../kernel/failure.ts';
import type { UserId } from '../../kernel/ids.ts';
import { unreachable } from '../../kernel/text/closed-list.ts';
import type { FileDeps } from '../deps.ts';
import { checkDigests } from '../uploads/content-digest.ts';
import { afterEnd, withOffset, wrongContent, wrongLength, wrongOffset } from './append-rules.ts';
import { receiveBytes } from './receive-bytes.ts';
import { isUploadId, type TakeOutcome } from './resumable-upload.ts';
import { goneUpload, inProgress, repeatStored } from './upload-answers.ts';
import type { UploadRequest, UploadStep } from './upload-request.ts';

type AppendUpload = UploadRequest & {
  readonly uploadId: string;
  readonly userId: UserId;
  readonly offset: number;
};

/** Throws uploadTakenOver() if a newer request takes the upload. */
export async function appendUpload(deps: FileDeps, input: AppendUpload): Promise<UploadStep> {
  const { uploadId, userId, offset } = input;
  if (!isUploadId(uploadId)) throw goneUpload({ kind: 'unknown' });
  const writer = newId();
  // From its arrival on, not from when the store knows it: requests that came later may reach the store earlier.
  const running = deps.runningUploads.begin(uploadId, userId, input.arrivedAt);
  try {
    const outcome = await deps.resumables.take({ uploadId, userId, writer, offset, now: deps.clock.now() });
    if (outcome.kind === 'taken') return await receiveBytes(deps, { upload: outcome.upload, writer, running }, input);
    running.end();
    return await answer(deps, input, outcome);
  } finally {
    running.end();
  }
}

type NotTaken = Exclude<TakeOutcome, { readonly kind: 'taken' }>;

async function answer(deps: FileDeps, input: AppendUpload, outcome: NotTaken): Promise<UploadStep> {
  switch (outcome.kind) {
    case 'unknown':
    case 'expired':
      throw goneUpload(outcome);
    case 'wrong offset':
      throw wrongOffset(outcome.received);
    // All bytes are there, so nothing can be appended. Only a request that appends nothing can be a repetition of the last one.
    case 'stored': {
      const refusal = await refuseRepetition(input, outcome.upload.received);
      if (refusal !== undefined) throw refusal;
      return repeatStored(outcome);
    }
    case 'finishing': {
      const { received, finishUntil } = outcome.upload;
      const refusal = await refuseRepetition(input, received);
      if (refusal?.code === 'UPLOAD_OFFSET_WRONG') throw refusal;
      const finishing = refusal === undefined ? deps.runningUploads.finishing(outcome.upload.id) : undefined;
      if (finishing === undefined) throw withOffset(inProgress(finishUntil, deps.clock.now()), received, false);
      return finishing;
    }
    default:
      return unreachable(outcome);
  }
}

/** Undefined if the request ends the upload where it ends, without a byte, and says nothing else. */
async function refuseRepetition(input: AppendUpload, received: number): Promise<Failure | undefined> {
  const { offset, isComplete, length = received, digests } = input;
  if (offset !== received) return wrongOffset(received);
  if (!isComplete) return afterEnd('upload-complete', received);
  if (length !== received || (await hasBytes(input))) return afterEnd('upload-length', received);
  return checkDigests(digests).isRight() ? undefined : wrongContent(received);
}

async function hasBytes({ bodyLength, body }: AppendUpload): Promise<boolean> {
  if (bodyLength !== undefined) return bodyLength > 0;
  for await (const chunk of body({ bytes: 0, refusal: wrongLength() })) if (chunk.length > 0) return true;
  return false;
}
