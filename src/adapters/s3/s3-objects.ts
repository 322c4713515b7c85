// Stores, reads, removes and lists single objects of an S3-compatible storage.
import { Readable } from 'node:stream';
import type { BlobRange } from '../../files/storage/blob-store.ts';
import { readText, streamBody } from './s3-body.ts';
import { nameOf, type S3Client, type S3Request } from './s3-client.ts';
import { type ListedObject, type ListPage, parseListPage } from './s3-list-page.ts';
import { refused, unavailable } from './s3-outcome.ts';

/** Enough for a thousand keys of 1,024 bytes with every byte escaped, plus the XML around them. */
const maxListBytes = 8 * 2 ** 20;

/** Some servers send 200 early and report an error in the body. So only an empty body means success. */
export function storeObject(
  client: S3Client,
  id: string,
  body: Required<S3Request>['body'],
  signal?: AbortSignal,
): Promise<void> {
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
export function readObject(client: S3Client, id: string, { start, end }: BlobRange, size: number): Promise<Readable> {
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

/** A missing object counts as removed. */
export function removeObject(client: S3Client, id: string): Promise<void> {
  const request: S3Request = { method: 'DELETE', id, isSlow: true };
  return client.ask(request, async (response) => {
    const problem = await client.refuse(request, response);
    const isRemoved = [200, 204, 404].includes(response.statusCode ?? 0);
    return isRemoved ? { value: undefined } : problem;
  });
}

/** The objects whose key has this beginning, without the prefix of the storage. */
export async function* listObjects(client: S3Client, beginning: string, after?: string): AsyncIterable<ListedObject> {
  const { prefix } = client.place;
  const place = { prefix: `${prefix}${beginning}` };
  let query: Record<string, string> = after === undefined ? {} : { 'start-after': `${prefix}${after}` };
  for (;;) {
    const page: ListPage = await listPage(client, { ...place, ...query });
    for (const { key, ...rest } of page.objects)
      if (key.startsWith(place.prefix)) yield { key: key.slice(prefix.length), ...rest };
    if (page.next === undefined) return;
    if (page.next === query['continuation-token']) throw unavailable('S3 list repeats a continuation token').failure;
    query = { 'continuation-token': page.next };
  }
}

export function listPage(client: S3Client, query: Record<string, string>): Promise<ListPage> {
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
