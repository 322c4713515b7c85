// HTTP status, cause and cure of the failures of files: a part of the table in failure-replies.ts.
import type { FailureCode } from '../../kernel/failure.ts';
import { type FailureReply, waitAndRepeat } from './failure-reply.ts';

export const fileReplies = {
  FILE_PURPOSE_REQUIRED: {
    status: 400,
    when: 'The upload does not name a purpose.',
    cure: 'Send the purpose as a form field, in the query or in the header X-File-Purpose.',
  },
  FILE_PURPOSE_UNKNOWN: {
    status: 422,
    when: 'The service has no such purpose.',
    cure: 'Use a purpose from GET /api/file/purposes.',
  },
  FILE_MISSING: {
    status: 400,
    when: 'The upload contains no file.',
    cure: 'Send the file as the form field “file”, as a raw body or as base64 in JSON.',
  },
  FILE_EMPTY: { status: 400, when: 'The file has no bytes.', cure: 'Send a file with content.' },
  FILE_MALFORMED: {
    status: 400,
    when: 'The multipart body is malformed or contains two files, or a chunked body consists of chunks of a few bytes.',
    cure: 'Send one file in well-formed form data, in chunks of at least a few kilobytes.',
  },
  FILE_INCOMPLETE: { status: 400, when: 'The body ended before the file was complete.', cure: 'Send the file again.' },
  FILE_TOO_LARGE: {
    status: 413,
    when: 'The file is larger than its purpose allows, or larger than 1 MiB in a JSON upload.',
    cure: 'The message names the limit. Send a file that is too large for JSON as multipart/form-data or as a raw body.',
  },
  FILE_TYPE_NOT_ALLOWED: {
    status: 415,
    when: 'The content of the file has a type that its purpose does not allow.',
    cure: 'Send one of the types that the message names.',
  },
  FILE_TYPE_MISMATCH: {
    status: 422,
    when: 'The declared type does not match the content of the file.',
    cure: 'Declare the correct type, or no type.',
  },
  FILE_CORRUPT: {
    status: 422,
    when: 'The file is damaged or incomplete, or other data follows it.',
    cure: 'Send an undamaged file.',
  },
  FILE_IMAGE_TOO_LARGE: {
    status: 422,
    when: 'The image has more pixels than its purpose allows.',
    cure: 'Scale the image down.',
  },
  FILE_DIGEST_MISMATCH: {
    status: 422,
    when: 'Repr-Digest does not match the bytes of the file, or Content-Digest those of the request.',
    cure: 'Send the file again; after a Content-Digest, only the request, at the offset in the header Upload-Offset of the answer.',
  },
  FILE_INFECTED: { status: 422, when: 'A scanner found malware.', cure: 'Do not send the file.', onlyWith: 'SCAN_URL' },
  FILE_QUOTA_EXCEEDED: { status: 403, when: 'The user’s storage is full.', cure: 'Delete files first.' },
  FILE_NOT_FOUND: {
    status: 404,
    when: 'The id is unknown or malformed, or the file was deleted, or the caller may not access it.',
    cure: 'Check the id.',
  },
  RANGE_NOT_SATISFIABLE: {
    status: 416,
    when: 'The range is outside the file.',
    cure: 'Read the size of the file from Content-Range.',
  },
  PRECONDITION_FAILED: {
    status: 412,
    when: 'If-Match names another version, or the file is newer than If-Unmodified-Since.',
    cure: 'Download the file again.',
  },
  IDEMPOTENCY_KEY_REUSED: {
    status: 422,
    when: 'The Idempotency-Key was already used for a file with different bytes.',
    cure: 'Use a new key for a new file.',
  },
  UPLOAD_IN_PROGRESS: {
    status: 409,
    when: 'An upload with this Idempotency-Key is still in progress, or an upload in several requests is being stored.',
    cure: waitAndRepeat,
  },
  UPLOAD_OFFSET_WRONG: {
    status: 409,
    when: 'Upload-Offset is not the offset at which the upload continues.',
    cure: 'Continue at the offset in the header Upload-Offset of the answer.',
  },
  UPLOAD_NOT_FOUND: {
    status: 404,
    when: 'The id of the upload is unknown, or it belongs to another user, or the upload was cancelled or refused.',
    cure: 'Start the upload again.',
  },
  UPLOAD_EXPIRED: {
    status: 410,
    when: 'No byte of the upload arrived for longer than UPLOAD_LIFE, so it was removed.',
    cure: 'Start the upload again.',
  },
  SHARING_NOT_ALLOWED: {
    status: 403,
    when: 'The purpose of the file allows no links, or no named readers.',
    cure: 'See “links” and “readableBy” in GET /api/file/purposes.',
  },
  FILE_LINKS_FULL: {
    status: 409,
    when: 'The file has 100 links that still work.',
    cure: 'Revoke links first.',
  },
  STORAGE_FULL: { status: 507, when: 'The disk or bucket is full.', cure: 'Ask the operator to free space.' },
  STORAGE_UNAVAILABLE: {
    status: 503,
    when: 'The file storage cannot be reached or is too slow, or the running uploads use all the space reserved for them.',
    cure: waitAndRepeat,
  },
} as const satisfies Partial<Record<FailureCode, FailureReply>>;
