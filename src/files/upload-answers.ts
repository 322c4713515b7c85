// What the store says about an upload in several requests, as results and failures of the use cases.
import { Failure } from '../kernel/failure.ts';
import type { ResumableUpload, UploadGone } from './resumable-upload.ts';
import type { StoredFile } from './stored-file.ts';
import type { UploadStep } from './upload-request.ts';

/** Unknown, malformed and foreign ids get the same answer. */
export function goneUpload({ kind }: UploadGone): Failure {
  return new Failure(kind === 'expired' ? 'UPLOAD_EXPIRED' : 'UPLOAD_NOT_FOUND');
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
