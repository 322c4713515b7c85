// The failures that tell where an upload in several requests stands.
import { Failure, type FailureCode, type FieldOf } from '../../kernel/failure.ts';
import { listOf } from '../../kernel/text/closed-list.ts';

/** The codes whose detail has the state of an upload. */
type UploadCode = {
  [C in FailureCode]: 'isUploadComplete' extends FieldOf<C> ? C : never;
}[FailureCode];

const uploadCodes = listOf<UploadCode>({
  REQUEST_INVALID: true,
  MEDIA_TYPE_UNSUPPORTED: true,
  REQUEST_TIMEOUT: true,
  RATE_LIMITED: true,
  SESSION_REVOKED: true,
  USER_BLOCKED: true,
  FILE_PURPOSE_REQUIRED: true,
  FILE_PURPOSE_UNKNOWN: true,
  FILE_EMPTY: true,
  FILE_MALFORMED: true,
  FILE_INCOMPLETE: true,
  FILE_TOO_LARGE: true,
  FILE_TYPE_NOT_ALLOWED: true,
  FILE_TYPE_MISMATCH: true,
  FILE_CORRUPT: true,
  FILE_IMAGE_TOO_LARGE: true,
  FILE_DIGEST_MISMATCH: true,
  FILE_INFECTED: true,
  FILE_QUOTA_EXCEEDED: true,
  IDEMPOTENCY_KEY_REUSED: true,
  UPLOAD_IN_PROGRESS: true,
  UPLOAD_OFFSET_WRONG: true,
  UPLOAD_NOT_FOUND: true,
  UPLOAD_EXPIRED: true,
  STORAGE_FULL: true,
  STORAGE_UNAVAILABLE: true,
  SERVICE_UNAVAILABLE: true,
  SERVICE_STOPPING: true,
});

const known: ReadonlySet<string> = new Set(uploadCodes);

export function isUploadFailure(error: unknown): error is Failure<UploadCode> {
  return error instanceof Failure && known.has(error.code);
}
