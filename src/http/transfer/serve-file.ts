// Serves a file over HTTP: conditional requests, ranges, security headers, and the choice between bytes, redirect and front proxy.
import type { Readable } from 'node:stream';
import type { BlobStore, Pump } from '../../files/storage/blob-store.ts';
import { type SmallBlobs, smallBytes } from '../../files/storage/small-blobs.ts';
import type { StoredFile } from '../../files/stored-file.ts';
import type { Clock } from '../../kernel/clock.ts';
import { Failure } from '../../kernel/failure.ts';
import type { ContentAnswer } from '../interface/route.ts';
import { type ByteRange, chooseRanges } from './byte-ranges.ts';
import type { FileHead, FileHeads } from './file-head.ts';
import { multipartRanges } from './multipart-ranges.ts';

export type FileServing = 'auto' | 'stream' | 'redirect' | 'accel';

export type FileRequest = {
  readonly header: (name: string) => string | undefined;
  readonly isHead: boolean;
  /** The client asked for a redirect, or a cookie authenticates it. Clients that forward a bearer token to S3 would be refused there. */
  readonly wantsRedirect: boolean;
  readonly isAttachment: boolean;
  /** Called before bytes are sent, but not for HEAD or an answer without content. If it throws, none are. */
  readonly beforeBytes?: (() => Promise<void>) | undefined;
};

/** What serving needs of a storage. */
export type ServedBlobs = Pick<BlobStore, 'read' | 'pump' | 'signUrl' | 'internalPath'>;

type Parts = {
  readonly blobs: ServedBlobs;
  readonly smallBlobs: SmallBlobs;
  readonly headOf: FileHeads;
  readonly clock: Clock;
  readonly mode: FileServing;
};

const signedSeconds = 120;

export async function serveFile(parts: Parts, file: StoredFile, request: FileRequest): Promise<ContentAnswer> {
  const head = parts.headOf(file, request.isAttachment ? 'attachment' : 'inline');
  const { headers, etag, modified } = head;
  checkPreconditions(request, etag, modified);
  if (isNotModified(request, etag, modified))
    return { status: 304, headers: without(headers, 'content-type', 'content-length') };
  // RFC 9110 section 14.2: a range is defined for GET only.
  const ranges = chooseRanges(
    request.isHead ? undefined : request.header('range'),
    request.header('if-range'),
    file.size,
    etag,
    modified,
  );
  if (ranges === 'unsatisfiable') throw new Failure('RANGE_NOT_SATISFIABLE', { contentRange: `bytes */${file.size}` });
  if (!request.isHead && request.beforeBytes !== undefined) await request.beforeBytes();
  return handOver(parts, file, head, request) ?? answerBytes(parts, file, headers, ranges, request.isHead);
}

/** Returns a promise only if the bytes are not in memory. */
function answerBytes(
  parts: Parts,
  file: StoredFile,
  headers: FileHead['headers'],
  ranges: readonly ByteRange[] | undefined,
  isHead: boolean,
): ContentAnswer | Promise<ContentAnswer> {
  if (ranges !== undefined && ranges.length > 1) return multipartRanges(parts.blobs, file, headers, ranges, isHead);
  const [range] = ranges ?? [];
  const { start, end } = range ?? { start: 0, end: file.size - 1 };
  const status = range === undefined ? 200 : 206;
  const sent = range === undefined ? headers : { ...headers, ...rangeHeaders(range, file.size) };
  if (isHead) return { status, headers: sent };
  const content = readBytes(parts, file, { start, end });
  return content instanceof Promise
    ? content.then((read) => ({ status, headers: sent, content: read }))
    : { status, headers: sent, content };
}

function rangeHeaders({ start, end }: ByteRange, size: number) {
  return { 'content-range': `bytes ${start}-${end}/${size}`, 'content-length': String(end - start + 1) };
}

/** Small files are cached in memory. Large ranges are pumped if the storage supports it. */
function readBytes(
  { blobs, smallBlobs }: Parts,
  { id, size }: StoredFile,
  range: ByteRange,
): Buffer | Promise<Readable | Buffer | Pump> {
  if (size <= smallBytes) {
    const bytes = smallBlobs(id, size);
    return bytes instanceof Promise ? bytes.then((read) => cut(read, range)) : cut(bytes, range);
  }
  const isLarge = range.end - range.start >= 256 * 1024;
  return isLarge && blobs.pump !== undefined ? blobs.pump(id, range, size) : blobs.read(id, range, size);
}

function cut(bytes: Buffer, { start, end }: ByteRange): Buffer {
  return end - start + 1 === bytes.length ? bytes : bytes.subarray(start, end + 1);
}

/** A redirect to a signed URL, or a header that makes the front proxy serve the file. Undefined if this service sends the bytes. */
function handOver(
  { blobs, clock, mode }: Parts,
  file: StoredFile,
  { headers, disposition }: FileHead,
  request: FileRequest,
): ContentAnswer | Promise<ContentAnswer> | undefined {
  if (mode === 'accel' && blobs.internalPath !== undefined && !hasPrecondition(request)) {
    const path = `/internal-files/${blobs.internalPath(file.id)}`;
    // The proxy handles ranges and sets accept-ranges itself.
    return { status: 200, headers: { ...without(headers, 'accept-ranges'), 'x-accel-redirect': path } };
  }
  const wantsRedirect = mode === 'redirect' || (mode === 'auto' && request.wantsRedirect);
  // A URL that is signed for GET does not work for HEAD.
  if (!wantsRedirect || request.isHead || blobs.signUrl === undefined) return undefined;
  const type = headers['content-type'] ?? file.type;
  return redirect(blobs.signUrl(file.id, { seconds: signedSeconds, now: clock.now(), type, disposition }), headers);
}

async function redirect(signed: string | Promise<string>, headers: FileHead['headers']): Promise<ContentAnswer> {
  const own = { location: await signed, 'content-length': '0', 'cache-control': 'private, no-store' };
  return { status: 302, headers: { ...headers, ...own } };
}

/** A front proxy compares these headers with its own ETag and time, and would refuse a correct request. */
function hasPrecondition({ header }: FileRequest): boolean {
  return header('if-match') !== undefined || header('if-unmodified-since') !== undefined;
}

/** RFC 9110 sections 13.1.1 and 13.2.2: strong comparison. The ETag takes precedence over the date. */
function checkPreconditions({ header }: FileRequest, etag: string, modified: Date): void {
  const match = header('if-match');
  if (match === undefined) {
    const since = header('if-unmodified-since');
    // False also if the date cannot be read.
    if (since !== undefined && modified.getTime() > Date.parse(since)) throw new Failure('PRECONDITION_FAILED');
  } else if (match.trim() !== '*' && !tagsOf(match).includes(etag)) throw new Failure('PRECONDITION_FAILED');
}

/** RFC 9110 section 13.2.2: the ETag takes precedence over the date. */
function isNotModified({ header }: FileRequest, etag: string, modified: Date): boolean {
  const noneMatch = header('if-none-match');
  if (noneMatch !== undefined)
    return noneMatch.trim() === '*' || tagsOf(noneMatch).some((tag) => tag.replace(/^W\//, '') === etag);
  const since = header('if-modified-since');
  // False also if the date cannot be read.
  return since !== undefined && modified.getTime() <= Date.parse(since);
}

function tagsOf(header: string): string[] {
  return header.match(/(?:W\/)?"[^"]*"/g) ?? [];
}

function without(headers: FileHead['headers'], ...names: string[]): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name)));
}
