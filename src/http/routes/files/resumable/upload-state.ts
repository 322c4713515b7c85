// The state of an upload in several requests in answers: schema, example, conversion, and the headers that carry it.
import type { FileDeps } from '../../../../files/deps.ts';
import type { ResumableUpload } from '../../../../files/resumable/resumable-upload.ts';
import type { UploadStep } from '../../../../files/resumable/upload-request.ts';
import type { StoredFile } from '../../../../files/stored-file.ts';
import { fileUrl, uploadUrl } from '../../../interface/paths.ts';
import type { EnvelopeAnswer } from '../../../interface/route.ts';
import { flag, integer, named, nullable, object, text } from '../../../interface/schema.ts';
import { writeComplete, writeLimits } from '../../../transfer/upload-fields.ts';
import { isoTime } from '../../fields.ts';
import { fileRecord, toFileRecord } from '../file-record.ts';
import { mostBytesFor } from '../uploads/receive-upload.ts';

type Headers = Readonly<Record<string, string>>;
type LimitDeps = Pick<FileDeps, 'purposes' | 'appendBytes' | 'clock'>;

export const uploadStateFields = {
  id: text({ pattern: '^upl_[A-Za-z0-9_-]{22}$', examples: ['upl_3q2-7wAAAAAAAAAAAAAAAA'] }),
  url: text({ description: 'For PATCH, HEAD, GET and DELETE' }),
  length: nullable(integer({ description: 'All bytes of the file, if the client has sent it' })),
};

export const uploadState = named(
  'UploadState',
  object({
    id: uploadStateFields.id,
    url: uploadStateFields.url,
    offset: integer({ description: 'The bytes that are durable: where the upload goes on' }),
    length: uploadStateFields.length,
    complete: flag({ description: 'Whether the file is stored' }),
    expiresAt: isoTime,
    file: nullable(fileRecord),
  }),
);

export const uploadStateExample = {
  id: 'upl_3q2-7wAAAAAAAAAAAAAAAA',
  url: uploadUrl('upl_3q2-7wAAAAAAAAAAAAAAAA'),
  offset: 50_000_000,
  length: 120_000_000,
  complete: false,
  expiresAt: '2026-11-16T09:30:00.000Z',
  file: null,
};

/** Headers of every answer about an upload, for the docs. */
export const uploadStateHeaders = {
  'Upload-Offset': 'The bytes that are durable: where the upload goes on',
  'Upload-Complete': '?1 if the answer is the result of the whole upload, otherwise ?0',
  'Upload-Limit': 'max-size and max-append-size in bytes, and max-age in seconds',
};

/** To clients that speak the draft: see Upload-Draft-Interop-Version. */
export const uploadProgress = {
  meaning: 'Upload Resumption Supported: the address of the upload first, then the offset as the bytes become durable',
  headers: {
    Location: 'The address of the upload, in the first one',
    'Upload-Offset': 'The bytes that are durable: where the upload goes on',
  },
};

export function toUploadState(upload: ResumableUpload, file?: StoredFile) {
  return {
    id: upload.id,
    url: uploadUrl(upload.id),
    offset: upload.received,
    length: upload.length ?? null,
    complete: upload.fileId !== undefined,
    expiresAt: new Date(upload.expiresAt).toISOString(),
    file: file === undefined ? null : toFileRecord(file),
  };
}

export function stateHeaders(deps: LimitDeps, upload: ResumableUpload): Headers {
  return {
    'upload-offset': String(upload.received),
    'upload-complete': writeComplete(upload.fileId !== undefined),
    'upload-limit': limitsOf(deps, upload),
    ...(upload.length !== undefined && { 'upload-length': String(upload.length) }),
  };
}

export function limitsOf({ purposes, appendBytes, clock }: LimitDeps, { purpose, expiresAt }: ResumableUpload): string {
  const ageSeconds = Math.max(0, Math.floor((expiresAt - clock.now()) / 1000));
  return writeLimits({ maxBytes: mostBytesFor(purpose, purposes), appendBytes, ageSeconds });
}

/** The answer to a request with bytes: the file, or how far the upload has come. */
export function answerStep(deps: LimitDeps, step: UploadStep): EnvelopeAnswer {
  if (step.kind === 'open')
    return { data: toUploadState(step.upload), isSecond: true, headers: stateHeaders(deps, step.upload) };
  const { file, received } = step;
  const maxBytes = mostBytesFor(file.purpose, deps.purposes);
  return {
    data: toFileRecord(file),
    headers: {
      location: fileUrl(file.id),
      'upload-offset': String(received),
      'upload-complete': writeComplete(true),
      'upload-limit': writeLimits({ maxBytes, appendBytes: deps.appendBytes }),
    },
  };
}
