// The header fields of an upload in several requests (draft-ietf-httpbis-resumable-upload): how they are read and written.
import { Failure } from '../../kernel/failure.ts';
import { readItem } from './structured-fields.ts';

/** The version of the draft that this service speaks. Interim responses go only to clients that speak the same. */
export const interopVersion = 8;

/** The status of an interim response that gives the address of an upload, or how much of it is durable. */
export const resumptionSupported = 104;

export const partialUploadType = 'application/partial-upload';

type ReadHeader = (name: string) => string | undefined;

type UploadLimits = {
  readonly maxBytes: number;
  readonly appendBytes: number;
  /** The time until the upload is removed if no further byte arrives. Undefined if nothing more can be sent. */
  readonly ageSeconds?: number;
};

/** A structured Boolean. Undefined without the header. */
export function readComplete(header: ReadHeader): boolean | undefined {
  const value = header('upload-complete');
  if (value === undefined) return undefined;
  const item = readItem(value);
  if (item?.kind !== 'boolean') throw invalid('upload-complete');
  return item.value;
}

export function readOffset(header: ReadHeader): number | undefined {
  return readCount(header('upload-offset'), 'upload-offset');
}

/** The length of the whole upload, if the request announces it. */
export function readLength(header: ReadHeader): number | undefined {
  return readCount(header('upload-length'), 'upload-length');
}

/** Undefined for a chunked body. A request without a length and without chunks has no body. */
export function bodyLength(header: ReadHeader): number | undefined {
  if (header('transfer-encoding') !== undefined) return undefined;
  return Number(header('content-length') ?? 0);
}

/** False also for a malformed version: it is not ours. */
export function speaksInterop(header: ReadHeader): boolean {
  const item = readItem(header('upload-draft-interop-version') ?? '');
  return item?.kind === 'integer' && !item.isNegative && item.value === interopVersion;
}

export function writeComplete(isComplete: boolean): string {
  return isComplete ? '?1' : '?0';
}

export function writeLimits({ maxBytes, appendBytes, ageSeconds }: UploadLimits): string {
  const age = ageSeconds === undefined ? '' : `, max-age=${ageSeconds}`;
  return `max-size=${maxBytes}, max-append-size=${appendBytes}${age}`;
}

/** A structured Integer that is not negative. */
function readCount(value: string | undefined, field: string): number | undefined {
  if (value === undefined) return undefined;
  const item = readItem(value);
  if (item?.kind !== 'integer' || item.isNegative) throw invalid(field);
  return item.value;
}

function invalid(field: string): Failure {
  return new Failure('REQUEST_INVALID', { field });
}
