// Blobs in any S3-compatible storage. A blob is spooled on the local disk, then stored by one signed PUT of known length.
import { hash } from 'node:crypto';
import { Readable } from 'node:stream';
import { type BlobRange, type BlobStore, type ListedBlob, markName } from '../../files/blob-store.ts';
import { isFileId } from '../../files/stored-file.ts';
import type { ProviderUrl } from '../../kernel/provider-url.ts';
import { openSpool, sweepFolder } from '../disk/spool.ts';
import { readText, streamBody } from './s3-body.ts';
import { createS3Client, nameOf, type S3Client, type S3Request } from './s3-client.ts';
import { type ListPage, parseListPage } from './s3-list-page.ts';
import { errorCodeOf, type ReportRefusal, refused, unavailable } from './s3-outcome.ts';
import { readS3Place } from './s3-place.ts';
import type { S3Timing } from './s3-transport.ts';

const defaultTiming: S3Timing = {
  connectMilliseconds: 3000,
  answerMilliseconds: 5000,
  idleMilliseconds: 30_000,
  retryPausesMilliseconds: [200, 1000],
};

export function createS3Blobs(
  url: ProviderUrl,
  spoolFolder: string,
  timing: Partial<S3Timing> = {},
  report: ReportRefusal = () => undefined,
): BlobStore {
  const client = createS3Client(readS3Place(url), { ...defaultTiming, ...timing }, report);
  return {
    kind: 's3',
    spool: () => openSpool(spoolFolder),
    keep: (spool, id, sha256, signal) =>
      store(client, id, { reader: spool.reader, sha256 }, signal).catch((error: unknown) => {
        // The server may have stored the blob after the caller gave up.
        if (signal?.aborted === true) remove(client, id).catch(() => undefined);
        throw error;
      }),
    read: (id, range, size) => readRange(client, id, range, size),
    remove: (id) => remove(client, id),
    list: ({ after } = {}) => listBlobs(client, after),
    readMark: () => readMark(client),
    writeMark: (installation) =>
      installation === undefined ? remove(client, markName) : store(client, markName, bodyOf(`${installation}\n`)),
    signUrl: (id, options) => signUrl(client, id, options),
    sweepSpools: (olderThan) => sweepFolder(spoolFolder, olderThan),
    ping: async () => {
      await listPage(client, { 'max-keys': '1' });
    },
  };
}

/** Enough for a thousand keys of 1,024 bytes with every byte escaped, plus the XML around them. */
const maxListBytes = 8 * 2 ** 20;

/** Some servers send 200 early and report an error in the body. So only an empty body means success. */
function store(client: S3Client, id: string, body: Required<S3Request>['body'], signal?: AbortSignal): Promise<void> {
  const headers = { 'content-type': 'application/octet-stream' };
  const request: S3Request = { method: 'PUT', id, headers, body, isSlow: true, signal };
  return client.ask(request, async (response) => {
    if (response.statusCode !== 200) return client.refuse(request, response);
    const text = await readText(response, client.idleMilliseconds);
    if (text === undefined) return unavailable(`S3 ${nameOf(request)}: the answer was cut off`, 'connection', true);
    return text.trim() === '' ? { value: undefined } : refused(nameOf(request), 200, text);
  });
}

/** The response headers must announce exactly these bytes of a blob of exactly that size. The stream then enforces the length. */
function readRange(client: S3Client, id: string, { start, end }: BlobRange, size: number): Promise<Readable> {
  const length = end - start + 1;
  const isWhole = length === size || length === 0;
  const range: Record<string, string> = isWhole ? {} : { range: `bytes=${start}-${end}` };
  const request: S3Request = { method: length === 0 ? 'HEAD' : 'GET', id, headers: range };
  return client.ask(request, async (response) => {
    const { statusCode, headers } = response;
    if (statusCode !== (isWhole ? 200 : 206)) return client.refuse(request, response);
    const isAnnounced = isWhole
      ? headers['content-length'] === String(size)
      : headers['content-length'] === String(length) && headers['content-range'] === `bytes ${start}-${end}/${size}`;
    if (!isAnnounced || headers['content-encoding'] !== undefined) {
      response.destroy();
      return unavailable(`S3 ${nameOf(request)}: the blob does not have the recorded size`);
    }
    if (length > 0) return { value: streamBody(response, length, client.idleMilliseconds) };
    response.resume();
    return { value: Readable.from([], { objectMode: false }) };
  });
}

/** A missing blob counts as removed. */
function remove(client: S3Client, id: string): Promise<void> {
  const request: S3Request = { method: 'DELETE', id, isSlow: true };
  return client.ask(request, async (response) => {
    const problem = await client.refuse(request, response);
    const isRemoved = [200, 204, 404].includes(response.statusCode ?? 0);
    return isRemoved ? { value: undefined } : problem;
  });
}

/** Only NoSuchKey means that there is no mark. Any other error must not look like an unclaimed storage. */
function readMark(client: S3Client): Promise<string | undefined> {
  const request: S3Request = { method: 'GET', id: markName };
  return client.ask(request, async (response) => {
    const { statusCode = 0 } = response;
    const text = await readText(response, client.idleMilliseconds);
    if (text === undefined) return unavailable(`S3 ${nameOf(request)}: the answer was cut off`, 'connection', true);
    if (statusCode === 200) return { value: text.trim() || undefined };
    if (statusCode === 404 && errorCodeOf(text) === 'NoSuchKey') return { value: undefined };
    return refused(nameOf(request), statusCode, text);
  });
}

function bodyOf(text: string): Required<S3Request>['body'] {
  const bytes = Buffer.from(text);
  const read = async (position: number, length: number) => bytes.subarray(position, position + length);
  return { reader: { size: bytes.length, read }, sha256: hash('sha256', bytes, 'hex') };
}

async function* listBlobs(client: S3Client, after = ''): AsyncIterable<ListedBlob> {
  const { prefix } = client.place;
  let last = after;
  let query: Record<string, string> = after === '' ? {} : { 'start-after': `${prefix}${after}` };
  for (;;) {
    const page: ListPage = await listPage(client, query);
    for (const { key, size, modifiedAt } of page.objects) {
      const id = key.slice(prefix.length);
      // The bucket may contain objects of other programs. They are not listed, so the sweep never removes them.
      if (!key.startsWith(prefix) || !isFileId(id)) continue;
      // The comparison with the records would report a blob out of order as missing.
      if (id <= last)
        throw unavailable('S3 list is not sorted by key, or does not start after the requested key').failure;
      last = id;
      yield { id, size, modifiedAt };
    }
    if (page.next === undefined) return;
    if (page.next === query['continuation-token']) throw unavailable('S3 list repeats a continuation token').failure;
    query = { 'continuation-token': page.next };
  }
}

function listPage(client: S3Client, query: Record<string, string>): Promise<ListPage> {
  const request: S3Request = {
    method: 'GET',
    // XML cannot carry every character of a key, so keys are requested percent-encoded.
    query: { 'list-type': '2', 'encoding-type': 'url', prefix: client.place.prefix, ...query },
    isSlow: query['max-keys'] === undefined,
  };
  return client.ask(request, async (response) => {
    if (response.statusCode !== 200) return client.refuse(request, response);
    const text = await readText(response, client.idleMilliseconds, maxListBytes);
    const page = parseListPage(text ?? '');
    return page === undefined
      ? unavailable(`S3 ${nameOf(request)}: the list cannot be read`, 'answer', true)
      : { value: page };
  });
}

type UrlOptions = { seconds: number; now: number; type: string; disposition: string };

/** Rounds the signing time down, by at most a minute, so that a browser can cache the URL. It expires that much earlier. */
function signUrl(client: S3Client, id: string, { seconds, now, type, disposition }: UrlOptions): Promise<string> {
  const step = Math.max(1, Math.min(60, Math.floor(seconds / 2))) * 1000;
  const query = {
    'response-content-type': type,
    'response-content-disposition': disposition,
    'response-cache-control': 'private, no-cache',
  };
  return client.signUrl(id, query, seconds, now - (now % step));
}
