// Receives an upload over HTTP in each of its forms. The upload of a user and that of the back end have it in common.
import type { FileDeps } from '../../../../files/deps.ts';
import type { Purpose } from '../../../../files/purpose.ts';
import type { StoredFile } from '../../../../files/stored-file.ts';
import { type UploadFile, uploadFile } from '../../../../files/uploads/upload-file.ts';
import { Failure, type FailureCode } from '../../../../kernel/failure.ts';
import type { Call } from '../../../interface/route.ts';
import { object, text } from '../../../interface/schema.ts';
import { readContentDigests, readReprDigest } from '../../../transfer/digest-fields.ts';
import { readDispositionName } from '../../../transfer/disposition-name.ts';
import { multipartParts } from '../../../transfer/multipart-parts.ts';
import {
  createJsonParts,
  formOf,
  jsonBodyBytes,
  jsonTooLarge,
  rawParts,
  type UploadForm,
} from '../../../transfer/upload-parts.ts';

/** Who uploads, and for whom. */
type Uploader = Pick<UploadFile, 'userId' | 'by'>;

type UploadQuery = { readonly purpose?: string; readonly name?: string };

export type UploadCall = Call<unknown, UploadQuery>;

export type ReceiveUpload = (call: UploadCall, uploader: Uploader) => Promise<StoredFile>;

export function createUploadReceiver(deps: FileDeps): ReceiveUpload {
  const jsonParts = createJsonParts();
  return (call, uploader) => {
    const form = formOf(call.header('content-type'));
    const purpose = earlyPurpose(call.query.purpose, call.header('x-file-purpose'));
    refuseEarly(form, purpose, Number(call.header('content-length') ?? 0), deps);
    const name = form === 'raw' ? (call.query.name ?? nameOf(call.header('content-disposition'))) : undefined;
    const most = mostBytesFor(purpose, deps.purposes);
    const digests = readContentDigests(call.header('content-digest'));
    return uploadFile(deps, {
      ...uploader,
      purpose,
      bodyLength: lengthOf(call),
      isBare: form === 'raw',
      idempotencyKey: keyOf(call.header('idempotency-key')),
      digest: readReprDigest(call.header('repr-digest')),
      parts: (bound) =>
        form === 'raw'
          ? rawParts(call.stream, name, bound, deps.uploadTimes, digests)
          : form === 'json'
            ? jsonParts(call.stream, uploader.userId, most, deps.uploadTimes, call.signal, digests)
            : multipartParts(call.stream, bound, deps.uploadTimes, digests),
      signal: call.signal,
    });
  };
}

export function uploadFailures({ scanning }: Pick<FileDeps, 'scanning'>): readonly FailureCode[] {
  return [
    'RATE_LIMITED',
    'FILE_PURPOSE_REQUIRED',
    'FILE_PURPOSE_UNKNOWN',
    'FILE_MISSING',
    'JSON_INVALID',
    ...contentFailures({ scanning }),
  ];
}

/** Failures of the bytes of a file, in one request or in several. */
export function contentFailures({ scanning }: Pick<FileDeps, 'scanning'>): readonly FailureCode[] {
  return [
    'FILE_EMPTY',
    'FILE_MALFORMED',
    'FILE_INCOMPLETE',
    'FILE_TOO_LARGE',
    'FILE_TYPE_NOT_ALLOWED',
    'FILE_TYPE_MISMATCH',
    'FILE_CORRUPT',
    'FILE_IMAGE_TOO_LARGE',
    'FILE_DIGEST_MISMATCH',
    ...(scanning === undefined ? [] : (['FILE_INFECTED'] as const)),
    'FILE_QUOTA_EXCEEDED',
    'IDEMPOTENCY_KEY_REUSED',
    'UPLOAD_IN_PROGRESS',
    'STORAGE_FULL',
    'STORAGE_UNAVAILABLE',
    'REQUEST_TIMEOUT',
  ];
}

export const uploadTypes = {
  'multipart/form-data': object({ file: text({ format: 'binary' }) }, { purpose: text() }),
  // JSON is not a type of its own here: generators of clients would prefer it, and send every file in base64.
  '*/*': text({
    format: 'binary',
    description:
      'A raw body. Its content type is the declared type of the file. With application/json: “content” in base64 of at most 1 MiB before encoding, “purpose”, and if wanted “name” and “type”',
  }),
};

export const contentDigest = 'SHA-256 or SHA-512 of this body, which then counts whole or not at all';

export const uploadHeaders = {
  'X-File-Purpose': 'The purpose, if it is neither in the body nor in the query',
  'Content-Disposition': 'The name of the file in a raw body: filename in UTF-8, or filename*',
  'Idempotency-Key': 'One key makes one file, however often the upload is repeated within 24 hours',
  'Repr-Digest': 'The SHA-256 of the file, to be compared: sha-256=:…:',
  'Content-Digest': contentDigest,
};

export const uploadQuery = {
  purpose: text({ maxLength: 64, description: 'The purpose, if it is not in the body' }),
  name: text({ maxLength: 1024, description: 'The name of the file in a raw body' }),
};

/** Refusals that do not depend on the body. */
function refuseEarly(form: UploadForm, purpose: string | undefined, length: number, { purposes }: FileDeps): void {
  if (form === 'json' && length > jsonBodyBytes) throw jsonTooLarge(mostBytesFor(purpose, purposes));
  if (form !== 'raw' || purpose !== undefined) return;
  throw new Failure('FILE_PURPOSE_REQUIRED', { list: purposes.map(({ name }) => name).join(', ') });
}

/** The limit of the named purpose, or the largest limit if the purpose is not known. */
export function mostBytesFor(purpose: string | undefined, purposes: readonly Purpose[]): number {
  const named = purposes.filter(({ name }) => name === purpose);
  return Math.max(...(named.length > 0 ? named : purposes).map(({ maxBytes }) => maxBytes));
}

export function earlyPurpose(inQuery: string | undefined, inHeader: string | undefined): string | undefined {
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

export function keyOf(header: string | undefined): string | undefined {
  if (header === undefined) return undefined;
  if (!/^[\x21-\x7e]{1,255}$/.test(header)) throw new Failure('REQUEST_INVALID', { field: 'idempotency-key' });
  return header;
}

export function nameOf(header: string | undefined): string | undefined {
  if (header === undefined) return undefined;
  try {
    return readDispositionName(header);
  } catch {
    throw new Failure('REQUEST_INVALID', { field: 'content-disposition' });
  }
}
