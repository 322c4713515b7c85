// The rules of the bytes of one request of an upload: how long the upload is, how many bytes may follow, and what is refused.
import { Failure, type FailureCode, withDetail } from '../../kernel/failure.ts';
import type { BodyBound } from '../spool/body-bound.ts';
import { tooLarge } from '../uploads/upload-purpose.ts';
import { isUploadFailure } from './upload-failure.ts';
import type { UploadRequest } from './upload-request.ts';

type Known = {
  readonly received: number;
  readonly length: number | undefined;
  /** The limit of the purpose. */
  readonly maxBytes: number;
};

type AppendPlan = {
  /** Of the whole upload, if it is known by now. */
  readonly length: number | undefined;
  readonly bound: BodyBound;
};

/** `endsUpload`: it can never become a file. Otherwise nothing is lost, and the client may go on. */
type AppendRefusal = { readonly refusal: Failure; readonly endsUpload: boolean };

type Said = Pick<UploadRequest, 'length' | 'bodyLength' | 'isComplete'>;

export function planAppend({ received, length: before, maxBytes }: Known, said: Said): AppendPlan | AppendRefusal {
  const { bodyLength, isComplete } = said;
  const end = bodyLength === undefined ? undefined : received + bodyLength;
  const length = before ?? said.length ?? (isComplete ? end : undefined);
  if (said.length !== undefined && said.length !== length) return { refusal: wrongLength(), endsUpload: false };
  if (length !== undefined && length < received) return { refusal: wrongLength(), endsUpload: false };
  if (length !== undefined && length > maxBytes) return { refusal: tooLarge(maxBytes), endsUpload: true };
  const refusal = length === undefined ? tooLarge(maxBytes) : wrongLength();
  const most = length ?? maxBytes;
  if (end !== undefined && end > most) return { refusal, endsUpload: true };
  if (isComplete && end !== undefined && end < most && length !== undefined)
    return { refusal: wrongLength(), endsUpload: false };
  return { length, bound: { bytes: most - received, refusal } };
}

export function wrongLength(): Failure {
  return new Failure('REQUEST_INVALID', { field: 'upload-length' });
}

/** A request that would go on behind the end of a complete upload, or that denies the end. The upload stays as it is. */
export function afterEnd(field: 'upload-complete' | 'upload-length', received: number): Failure {
  return new Failure('REQUEST_INVALID', { field, uploadOffset: received, isUploadComplete: true });
}

/** Also of a stored upload: its client may have missed the last answer, and learns where to ask for it again. */
export function wrongOffset(received: number): Failure {
  return new Failure('UPLOAD_OFFSET_WRONG', { uploadOffset: received, isUploadComplete: false });
}

/** The request counts as if it had not come: it may be sent again. */
export function wrongContent(received: number): Failure {
  return new Failure('FILE_DIGEST_MISMATCH', { uploadOffset: received, isUploadComplete: false });
}

/** They say nothing about the file: another attempt may succeed. */
const passingCodes: ReadonlySet<FailureCode> = new Set([
  'STORAGE_UNAVAILABLE',
  'STORAGE_FULL',
  'SERVICE_UNAVAILABLE',
  'SERVICE_STOPPING',
  'RATE_LIMITED',
  'UPLOAD_IN_PROGRESS',
]);

/** Whether the upload stays with all its bytes after this error. An error that no rule made is passing too. */
export function isPassing(error: unknown): boolean {
  return !(error instanceof Failure) || passingCodes.has(error.code);
}

/** The same failure, with the offset at which the upload goes on, and whether it is the result of the whole upload. */
export function withOffset(error: unknown, uploadOffset: number, isUploadComplete: boolean): unknown {
  return isUploadFailure(error) ? withDetail(error, { uploadOffset, isUploadComplete }) : error;
}
