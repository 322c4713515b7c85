// Serves a file over HTTP: conditional requests, ranges, security headers, and the choice between bytes, redirect and front proxy.
import type { Readable } from 'node:stream';
import { create } from 'content-disposition';
import type { BlobStore, Pump } from '../../files/blob-store.ts';
import { type SmallBlobs, smallBytes } from '../../files/small-blobs.ts';
import type { StoredFile } from '../../files/stored-file.ts';
import type { Clock } from '../../kernel/clock.ts';
import { Failure } from '../../kernel/failure.ts';
import { isMediaType, type MediaFamily, mediaTypes } from '../../media/media-type.ts';
import type { ContentAnswer } from '../interface/route.ts';
import { type ByteRange, chooseRanges } from './byte-ranges.ts';
import { multipartRanges } from './multipart-ranges.ts';

export type FileServing = 'auto' | 'stream' | 'redirect' | 'accel';

export type FileRequest = {
  readonly header: (name: string) => string | undefined;
  readonly isHead: boolean;
  /** The client asked for a redirect, or a cookie authenticates it. Clients that forward a bearer token to S3 would be refused there. */
  readonly wantsRedirect: boolean;
  readonly isAttachment: boolean;
  /** Called before bytes are sent, but not for HEAD or an answer without content. If it throws, none are. */
  readonly beforeBytes?: () => Promise<void>;
};

/** What serving needs of a storage. */
export type ServedBlobs = Pick<BlobStore, 'read' | 'pump' | 'signUrl' | 'internalPath'>;

type Parts = {
  readonly blobs: ServedBlobs;
  readonly smallBlobs: SmallBlobs;
  readonly clock: Clock;
  readonly mode: FileServing;
};

const signedSeconds = 120;

export async function serveFile(parts: Parts, file: StoredFile, request: FileRequest): Promise<ContentAnswer> {
  const digest = Buffer.from(file.sha256, 'hex');
  const etag = `"${digest.toString('base64url')}"`;
  const modified = new Date(Math.floor(file.createdAt / 1000) * 1000);
  const disposition = create(file.name, { type: request.isAttachment ? 'attachment' : 'inline' });
  const headers = fileHeaders(file, { etag, digest, modified, disposition });
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
  if (!request.isHead) await request.beforeBytes?.();
  const handedOver = await handOver(parts, file, headers, request, disposition);
  if (handedOver !== undefined) return handedOver;
  return answerBytes(parts, file, headers, ranges, request.isHead);
}

async function answerBytes(
  parts: Parts,
  file: StoredFile,
  headers: Record<string, string>,
  ranges: readonly ByteRange[] | undefined,
  isHead: boolean,
): Promise<ContentAnswer> {
  if (ranges !== undefined && ranges.length > 1) return multipartRanges(parts.blobs, file, headers, ranges, isHead);
  const [range] = ranges ?? [];
  const { start, end } = range ?? { start: 0, end: file.size - 1 };
  const partial = range === undefined ? {} : { 'content-range': `bytes ${start}-${end}/${file.size}` };
  return {
    status: range === undefined ? 200 : 206,
    headers: { ...headers, ...partial, 'content-length': String(end - start + 1) },
    ...(!isHead && { content: await readBytes(parts, file, { start, end }) }),
  };
}

/** Small files are cached in memory. Large ranges are pumped if the storage supports it. */
async function readBytes(
  { blobs, smallBlobs }: Parts,
  { id, size }: StoredFile,
  range: ByteRange,
): Promise<Readable | Buffer | Pump> {
  if (size <= smallBytes) return (await smallBlobs(id, size)).subarray(range.start, range.end + 1);
  const isLarge = range.end - range.start >= 256 * 1024;
  return isLarge && blobs.pump !== undefined ? blobs.pump(id, range, size) : blobs.read(id, range, size);
}

/** A stored file must not run scripts, be framed, have its type guessed, or be kept by a shared cache. */
function fileHeaders(
  file: StoredFile,
  { etag, digest, modified, disposition }: { etag: string; digest: Buffer; modified: Date; disposition: string },
): Record<string, string> {
  const { isText, sandbox } = isMediaType(file.type) ? servedAs[mediaTypes[file.type].family] : inert;
  return {
    'content-type': isText ? `${file.type}; charset=${file.charset ?? 'utf-8'}` : file.type,
    'content-length': String(file.size),
    'content-disposition': disposition,
    'content-security-policy': `default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; media-src 'self'; ${sandbox}`,
    'cross-origin-resource-policy': 'same-site',
    'cache-control': 'private, no-cache',
    'accept-ranges': 'bytes',
    etag,
    'last-modified': modified.toUTCString(),
    'repr-digest': `sha-256=:${digest.toString('base64')}:`,
    vary: 'Authorization, Cookie, Origin',
  };
}

type Served = { readonly isText: boolean; readonly sandbox: 'sandbox' | 'sandbox allow-same-origin' };

const inert: Served = { isText: false, sandbox: 'sandbox' };
/** A media player requests ranges from inside the sandbox. Without `allow-same-origin` it would send no cookie. Scripts stay forbidden. */
const played: Served = { ...inert, sandbox: 'sandbox allow-same-origin' };

const servedAs: Readonly<Record<MediaFamily, Served>> = {
  image: inert,
  document: inert,
  text: { ...inert, isText: true },
  archive: inert,
  audio: played,
  video: played,
};

/** A redirect to a signed URL, or a header that makes the front proxy serve the file. Undefined if this service sends the bytes. */
async function handOver(
  { blobs, clock, mode }: Parts,
  file: StoredFile,
  headers: Record<string, string>,
  request: FileRequest,
  disposition: string,
): Promise<ContentAnswer | undefined> {
  if (mode === 'accel' && blobs.internalPath !== undefined && !hasPrecondition(request)) {
    const path = `/internal-files/${blobs.internalPath(file.id)}`;
    // The proxy handles ranges and sets accept-ranges itself.
    return { status: 200, headers: { ...without(headers, 'accept-ranges'), 'x-accel-redirect': path } };
  }
  const wantsRedirect = mode === 'redirect' || (mode === 'auto' && request.wantsRedirect);
  // A URL that is signed for GET does not work for HEAD.
  if (!wantsRedirect || request.isHead || blobs.signUrl === undefined) return undefined;
  const location = await blobs.signUrl(file.id, {
    seconds: signedSeconds,
    now: clock.now(),
    type: headers['content-type'] ?? file.type,
    disposition,
  });
  const redirect = { location, 'content-length': '0', 'cache-control': 'private, no-store' };
  return { status: 302, headers: { ...headers, ...redirect } };
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

function without(headers: Record<string, string>, ...names: string[]): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name)));
}
