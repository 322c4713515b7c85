// POST /api/file/upload: stores a file for a purpose. Takes multipart, a raw body or JSON.
import { parse } from 'content-disposition';
import type { LimitRule } from '../../../abuse/limits.ts';
import type { FileDeps } from '../../../files/deps.ts';
import type { Purpose } from '../../../files/purpose.ts';
import { uploadFile } from '../../../files/upload-file.ts';
import { Failure } from '../../../kernel/failure.ts';
import { createRateGuard } from '../../guards/rate.ts';
import { fileUrl } from '../../interface/paths.ts';
import { type Call, defineRoute } from '../../interface/route.ts';
import { object, text } from '../../interface/schema.ts';
import { multipartParts } from '../../transfer/multipart-parts.ts';
import {
  createJsonParts,
  formOf,
  jsonBodyBytes,
  jsonTooLarge,
  rawParts,
  type UploadForm,
} from '../../transfer/upload-parts.ts';
import { fileRecord, fileRecordExample, toFileRecord } from './file-record.ts';

export function uploadFileRoute(deps: FileDeps, uploadsPerUser: readonly LimitRule[]) {
  const checkRate = createRateGuard(uploadsPerUser, 'uploads-per-user');
  const jsonParts = createJsonParts();
  return defineRoute({
    summary: 'Upload a file',
    description:
      'Takes three forms: multipart/form-data with “file” and “purpose” in any order, a raw body with its own content type, or JSON with base64 content of at most 1 MiB. The purpose may also be in the query or in the header X-File-Purpose. Send an Idempotency-Key to be able to repeat the upload safely, and a Repr-Digest to have the bytes checked.',
    success: 'FILE_STORED',
    status: 201,
    failures: [
      'RATE_LIMITED',
      'FILE_PURPOSE_REQUIRED',
      'FILE_PURPOSE_UNKNOWN',
      'FILE_MISSING',
      'FILE_EMPTY',
      'FILE_MALFORMED',
      'FILE_INCOMPLETE',
      'FILE_TOO_LARGE',
      'FILE_TYPE_NOT_ALLOWED',
      'FILE_TYPE_MISMATCH',
      'FILE_CORRUPT',
      'FILE_IMAGE_TOO_LARGE',
      'FILE_DIGEST_MISMATCH',
      'FILE_QUOTA_EXCEEDED',
      'IDEMPOTENCY_KEY_REUSED',
      'UPLOAD_IN_PROGRESS',
      'STORAGE_FULL',
      'STORAGE_UNAVAILABLE',
      'JSON_INVALID',
      'REQUEST_TIMEOUT',
    ],
    takesStream: true,
    requestTypes: {
      'multipart/form-data': object({ file: text({ format: 'binary' }), purpose: text() }),
      'application/octet-stream': text({ format: 'binary' }),
      'application/json': object(
        { purpose: text(), content: text({ description: 'The file in base64, at most 1 MiB before encoding' }) },
        { name: text(), type: text() },
      ),
    },
    query: object({}, { purpose: text({ maxLength: 64 }), name: text({ maxLength: 1024 }) }),
    data: fileRecord,
    example: fileRecordExample,
    handle: async (call) => {
      checkRate(call.caller.userId);
      const form = formOf(call.header('content-type'));
      const purpose = earlyPurpose(call.query.purpose, call.header('x-file-purpose'));
      refuseEarly(form, purpose, Number(call.header('content-length') ?? 0), deps);
      const name = form === 'raw' ? (call.query.name ?? nameOf(call.header('content-disposition'))) : undefined;
      const file = await uploadFile(deps, {
        userId: call.caller.userId,
        purpose,
        bodyLength: lengthOf(call),
        isBare: form === 'raw',
        idempotencyKey: keyOf(call.header('idempotency-key')),
        digest: digestOf(call.header('repr-digest')),
        parts: (bound) =>
          form === 'raw'
            ? rawParts(call.stream, name, bound, deps.uploadTimes)
            : form === 'json'
              ? jsonParts(
                  call.stream,
                  call.caller.userId,
                  mostBytesFor(purpose, deps.purposes),
                  deps.uploadTimes,
                  call.signal,
                )
              : multipartParts(call.stream, bound, deps.uploadTimes),
        signal: call.signal,
      });
      return { data: toFileRecord(file), headers: { location: fileUrl(file.id) } };
    },
  });
}

/** Refusals that do not depend on the body. */
function refuseEarly(form: UploadForm, purpose: string | undefined, length: number, { purposes }: FileDeps): void {
  if (form === 'json' && length > jsonBodyBytes) throw jsonTooLarge(mostBytesFor(purpose, purposes));
  if (form !== 'raw' || purpose !== undefined) return;
  throw new Failure('FILE_PURPOSE_REQUIRED', { list: purposes.map(({ name }) => name).join(', ') });
}

/** The limit of the named purpose, or the largest limit if the purpose is not known yet. */
function mostBytesFor(purpose: string | undefined, purposes: readonly Purpose[]): number {
  const named = purposes.filter(({ name }) => name === purpose);
  return Math.max(...(named.length > 0 ? named : purposes).map(({ maxBytes }) => maxBytes));
}

function earlyPurpose(inQuery: string | undefined, inHeader: string | undefined): string | undefined {
  const [query, header] = [inQuery || undefined, inHeader || undefined];
  if (query !== undefined && header !== undefined && query !== header)
    throw new Failure('REQUEST_INVALID', { field: 'purpose' });
  return query ?? header;
}

/** Undefined for JSON: its base64 is a third larger than the file, so its length does not limit the file before it is read. */
function lengthOf(call: Call): number | undefined {
  const length = call.header('content-length');
  return length === undefined || formOf(call.header('content-type')) === 'json' ? undefined : Number(length);
}

function keyOf(header: string | undefined): string | undefined {
  if (header === undefined) return undefined;
  if (!/^[\x21-\x7e]{1,255}$/.test(header)) throw new Failure('REQUEST_INVALID', { field: 'idempotency-key' });
  return header;
}

/** RFC 9530: a dictionary of byte sequences. Only sha-256 is used. */
function digestOf(header: string | undefined): string | undefined {
  if (header === undefined) return undefined;
  const sha256 = /(?:^|,)\s*sha-256=:([A-Za-z0-9+/]{43}=):/.exec(header)?.[1];
  if (sha256 === undefined && /sha-256/i.test(header)) throw new Failure('REQUEST_INVALID', { field: 'repr-digest' });
  return sha256;
}

function nameOf(header: string | undefined): string | undefined {
  if (header === undefined) return undefined;
  try {
    return parse(header).parameters.filename;
  } catch {
    throw new Failure('REQUEST_INVALID', { field: 'content-disposition' });
  }
}
