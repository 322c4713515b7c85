// Blobs in any S3-compatible storage. A blob is spooled, in memory or on the local disk, then stored by one signed PUT of known length.

import {
  type BlobStore,
  type ListedBlob,
  type LocalCopy,
  markName,
  variantsFolder,
} from '../../files/storage/blob-store.ts';
import { parseMark } from '../../files/storage/installation.ts';
import { fileIdBeginning, isFileId } from '../../files/stored-file.ts';
import { Failure } from '../../kernel/failure.ts';
import type { FileId } from '../../kernel/ids.ts';
import type { ProviderUrl } from '../../kernel/net/provider-url.ts';
import { openSpool, sweepFolder } from '../disk/spool.ts';
import { readText, streamBody } from './s3-body.ts';
import { createS3Client, nameOf, type S3Client, type S3Request } from './s3-client.ts';
import { listObjects, listPage, readObject, removeObject, storeObject } from './s3-objects.ts';
import { errorCodeOf, type ReportRefusal, refused, unavailable } from './s3-outcome.ts';
import { createS3Parts } from './s3-parts.ts';
import { readS3Place } from './s3-place.ts';
import type { S3Timing } from './s3-transport.ts';
import {
  addStrays,
  bodyOfBytes,
  groupVariants,
  parseVariantKey,
  unsorted,
  variantKey,
  variantKeys,
} from './s3-variants.ts';

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
    parts: createS3Parts(client, spoolFolder),
    spool: () => openSpool(spoolFolder),
    keep: (spool, id, sha256, signal) =>
      storeObject(client, id, { reader: spool.reader, sha256 }, signal).catch((error: unknown) => {
        // The server may have stored the blob after the caller gave up.
        if (signal?.aborted === true) removeObject(client, id).catch(() => undefined);
        throw error;
      }),
    read: (id, range, size) => readObject(client, id, range, size),
    openLocally: (id, size) => copyLocally(client, spoolFolder, id, size),
    readVariant: (id, name) => readWhole(client, variantKey(id, name)),
    keepVariant: (id, name, bytes) => storeObject(client, variantKey(id, name), bodyOfBytes(bytes)),
    remove: async (id) => {
      await removeVariants(client, id);
      await removeObject(client, id);
    },
    list: ({ after = '' } = {}) => addStrays(listBlobs(client, after), listVariants(client, after)),
    readMark: () => readMark(client),
    writeMark: (installation) =>
      installation === undefined
        ? removeObject(client, markName)
        : storeObject(client, markName, bodyOfBytes(Buffer.from(`${installation}\n`))),
    signUrl: (id, options) => signUrl(client, id, options),
    sweepSpools: (olderThan) => sweepFolder(spoolFolder, olderThan),
    ping: async () => {
      await listPage(client, { 'max-keys': '1' });
    },
  };
}

/** Far more than the largest variant has. */
const maxVariantBytes = 64 * 2 ** 20;

/** Only NoSuchKey means that there is no mark. Any other error must not look like an unclaimed storage. */
function readMark(client: S3Client): Promise<string | undefined> {
  const request: S3Request = { method: 'GET', id: markName };
  return client.ask(request, async (response) => {
    const { statusCode = 0 } = response;
    const text = await readText(response, client.idleMilliseconds);
    if (text === undefined) return unavailable(`S3 ${nameOf(request)}: the answer was cut off`, 'connection', true);
    if (statusCode === 200) return { value: parseMark(text) };
    if (statusCode === 404 && errorCodeOf(text) === 'NoSuchKey') return { value: undefined };
    return refused(nameOf(request), statusCode, text);
  });
}

/** The disk of the spools needs space for one picture. */
async function copyLocally(client: S3Client, folder: string, id: string, size: number): Promise<LocalCopy> {
  const stream = await readObject(client, id, { start: 0, end: size - 1 }, size);
  const spool = await openSpool(folder).catch((error: unknown) => {
    stream.destroy();
    throw error;
  });
  try {
    for await (const chunk of stream) await spool.write(chunk);
  } catch (error) {
    await spool.discard();
    throw error instanceof Failure ? error : unavailable(`S3 GET ${id}: the answer was cut off`, 'connection').failure;
  }
  return { path: spool.path, release: spool.discard };
}

/** Undefined if there is no such object. */
function readWhole(client: S3Client, id: string): Promise<Buffer | undefined> {
  const request: S3Request = { method: 'GET', id };
  return client.ask(request, async (response) => {
    const { statusCode = 0, headers } = response;
    if (statusCode === 404) {
      const text = await readText(response, client.idleMilliseconds);
      return errorCodeOf(text ?? '') === 'NoSuchKey' ? { value: undefined } : refused(nameOf(request), 404, text ?? '');
    }
    if (statusCode !== 200) return client.refuse(request, response);
    const length = Number(headers['content-length'] ?? Number.NaN);
    if (!(length >= 0 && length <= maxVariantBytes)) {
      response.destroy();
      return unavailable(`S3 ${nameOf(request)}: the object has no usable length`);
    }
    const chunks = await streamBody(response, length, client.idleMilliseconds)
      .toArray()
      .catch(() => undefined);
    return chunks === undefined
      ? unavailable(`S3 ${nameOf(request)}: the answer was cut off`, 'connection', true)
      : { value: Buffer.concat(chunks) };
  });
}

/** Lists them, because a purpose may have had other variants when they were made. */
async function removeVariants(client: S3Client, id: FileId): Promise<void> {
  for await (const { key } of listObjects(client, variantKeys(id)))
    if (parseVariantKey(key)?.id === id) await removeObject(client, key);
}

function listVariants(client: S3Client, after: string) {
  const afterKey = after === '' ? undefined : `${variantsFolder}/${after}`;
  return groupVariants(listObjects(client, `${variantsFolder}/`, afterKey), after);
}

async function* listBlobs(client: S3Client, after: string): AsyncIterable<ListedBlob> {
  let last = after;
  for await (const { key: id, size, modifiedAt } of listObjects(client, fileIdBeginning, after || undefined)) {
    // The bucket may contain objects of other programs. They are not listed, so the sweep never removes them.
    if (!isFileId(id)) continue;
    if (id <= last) throw unsorted();
    last = id;
    yield { id, size, modifiedAt };
  }
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
