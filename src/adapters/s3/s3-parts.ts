// Parts of uploads in S3: <prefix>uploads/<upload id>/<part id>, one object for each flush, sent from a spool on the local disk.
import { createHash } from 'node:crypto';
import {
  isPartId,
  type ListedUpload,
  lostParts,
  newPartId,
  orderParts,
  type PartStore,
  type PartWriter,
  type UploadPartInfo,
  uploadsFolder,
} from '../../files/resumable/part-store.ts';
import { flushBytes, isUploadId } from '../../files/resumable/resumable-upload.ts';
import { Failure } from '../../kernel/failure.ts';
import { inParallel } from '../../kernel/work/in-parallel.ts';
import { type DiskSpool, openSpool } from '../disk/spool.ts';
import type { S3Client } from './s3-client.ts';
import { listObjects, readObject, removeObject, storeObject } from './s3-objects.ts';
import { isMissingObject, unavailable } from './s3-outcome.ts';

const freshness = { everyMilliseconds: 60_000 };
const removalsAtOnce = 8;

export function createS3Parts(client: S3Client, spoolFolder: string): PartStore {
  return {
    spooledBytes: flushBytes,
    openWriter: (uploadId, firstByte, length) =>
      createWriter(client, spoolFolder, keysOf(uploadId), { first: firstByte, length }),
    assemble: (uploadId, parts) => assemble(client, spoolFolder, keysOf(uploadId), parts),
    remove: (uploadId) => removeParts(client, keysOf(uploadId)),
    list: () => listUploads(client),
  };
}

/** The common beginning of the parts of one upload. */
function keysOf(uploadId: string): string {
  if (!isUploadId(uploadId)) throw new Error('not the id of an upload');
  return `${uploadsFolder}/${uploadId}/`;
}

type Piece = { readonly spool: DiskSpool; readonly hash: ReturnType<typeof createHash> };
type Place = { readonly first: number; readonly length: number | undefined };

function createWriter(client: S3Client, folder: string, keys: string, { first, length }: Place): PartWriter {
  const closing = new AbortController();
  let piece: Piece | undefined;
  /** What was sent, and where it ends. */
  const sent: { readonly key: string; readonly end: number }[] = [];
  let [size, durable] = [0, 0];
  const open = async (): Promise<Piece> => {
    const opened = { spool: await openSpool(folder), hash: createHash('sha256') };
    if (!closing.signal.aborted) return opened;
    await opened.spool.discard();
    throw new Error('the writer is closed');
  };
  return {
    get size() {
      return size;
    },
    write: async (chunk) => {
      if (length !== undefined && first + size + chunk.length > length) throw new Error('more bytes than announced');
      piece ??= await open();
      await piece.spool.write(chunk);
      piece.hash.update(chunk);
      size += chunk.length;
    },
    flush: async () => {
      if (piece === undefined) return [];
      const { spool, hash } = piece;
      const id = newPartId();
      const key = `${keys}${id}`;
      sent.push({ key, end: durable + spool.size });
      const body = { reader: spool.reader, sha256: hash.copy().digest('hex') };
      await storeObject(client, key, body, closing.signal);
      const part = { id, firstByte: first + durable, bytes: spool.size };
      durable += spool.size;
      piece = undefined;
      await spool.discard();
      return [part];
    },
    close: async (recorded) => {
      closing.abort(new Failure('FILE_INCOMPLETE'));
      await piece?.spool.discard();
      for (const { key, end } of sent) if (end > recorded && end <= durable) await removeObject(client, key);
    },
  };
}

async function assemble(
  client: S3Client,
  folder: string,
  keys: string,
  parts: readonly UploadPartInfo[],
): Promise<DiskSpool> {
  const ordered = orderParts(parts);
  if (ordered === undefined) throw unavailable('bytes are missing between two parts of an upload').failure;
  const spool = await openSpool(folder, freshness);
  try {
    for (const { id, bytes } of ordered) {
      if (!isPartId(id)) throw new Error('not the id of a part');
      await readPart(client, `${keys}${id}`, bytes, spool);
    }
    return spool;
  } catch (error) {
    await spool.discard();
    throw error instanceof Failure
      ? error
      : unavailable(`S3 GET ${keys}: the answer was cut off`, 'connection').failure;
  }
}

async function readPart(client: S3Client, key: string, bytes: number, spool: DiskSpool): Promise<void> {
  const stream = await readObject(client, key, { start: 0, end: bytes - 1 }, bytes).catch((error: unknown) => {
    throw error instanceof Failure && isMissingObject(error) ? lostParts(error.cause) : error;
  });
  for await (const chunk of stream) await spool.write(chunk);
}

/** What another program has put there is left alone. */
function removeParts(client: S3Client, keys: string): Promise<void> {
  return inParallel(listObjects(client, keys), removalsAtOnce, async ({ key }) => {
    if (isPartId(key.slice(keys.length))) await removeObject(client, key);
  });
}

/** The objects of an upload are listed one after the other. */
async function* listUploads(client: S3Client): AsyncIterable<ListedUpload> {
  let last: ListedUpload | undefined;
  for await (const { key, modifiedAt } of listObjects(client, `${uploadsFolder}/`)) {
    const [, id = '', part = '', ...more] = key.split('/');
    if (!isUploadId(id) || !isPartId(part) || more.length > 0) continue;
    if (last !== undefined && last.id !== id) yield last;
    last = { id, modifiedAt: last?.id === id ? Math.max(last.modifiedAt, modifiedAt) : modifiedAt };
  }
  if (last !== undefined) yield last;
}
