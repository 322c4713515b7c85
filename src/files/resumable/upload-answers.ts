// What the store says about an upload in several requests, as results and failures of the use cases.
import { Failure } from '../../kernel/failure.ts';
import type { StoredFile } from '../stored-file.ts';
import type { ResumableUpload, UploadGone } from './resumable-upload.ts';
import type { UploadStep } from './upload-request.ts';

/** Shorter than a lease, because its holder may be done sooner. */
const longestRetrySeconds = 5;

/** Unknown, malformed and foreign ids get the same answer. */
export function goneUpload({ kind }: UploadGone): Failure {
  return new Failure(kind === 'expired' ? 'UPLOAD_EXPIRED' : 'UPLOAD_NOT_FOUND');
}

/** Another request has the lease until then, unless it renews it or is done before. */
export function inProgress(leaseUntil: number | undefined, now: number): Failure {
  const seconds = Math.ceil(((leaseUntil ?? now) - now) / 1000);
  return new Failure('UPLOAD_IN_PROGRESS', { retryAfterSeconds: Math.min(longestRetrySeconds, Math.max(1, seconds)) });
}

/** The file may have been deleted since. */
export function repeatStored(stored: {
  readonly upload: ResumableUpload;
  readonly file: StoredFile | undefined;
}): UploadStep {
  const { upload, file } = stored;
  if (file === undefined) throw new Failure('UPLOAD_NOT_FOUND');
  return { kind: 'stored', file, received: upload.received };
}
