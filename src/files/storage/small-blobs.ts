// Caches the small blobs that were read last. A blob never changes, and callers look up its record each time.
import { Failure } from '../../kernel/failure.ts';
import type { BlobName, BlobStore } from './blob-store.ts';
import { createByteCache } from './byte-cache.ts';

export const smallBytes = 32 * 1024;
const maxCacheBytes = 8 * 1024 * 1024;

/** For blobs of at most `smallBytes`. Returns a promise only if the blob is not in memory. */
export type SmallBlobs = (id: BlobName, size: number) => Buffer | Promise<Buffer>;

export function createSmallBlobs(blobs: Pick<BlobStore, 'read'>): SmallBlobs {
  const cache = createByteCache(maxCacheBytes);
  const fetch = async (id: BlobName, size: number) => {
    const bytes = await readWhole(blobs, id, size);
    cache.keep(id, bytes);
    return bytes;
  };
  return (id, size) => cache.get(id) ?? fetch(id, size);
}

async function readWhole(blobs: Pick<BlobStore, 'read'>, id: BlobName, size: number): Promise<Buffer> {
  const stream = await blobs.read(id, { start: 0, end: size - 1 }, size);
  const chunks = (await stream.toArray().catch(() => [])) as Buffer[];
  const bytes = Buffer.concat(chunks);
  if (bytes.length !== size) {
    const cause = new Error('a blob does not have the recorded size');
    throw new Failure('STORAGE_UNAVAILABLE', { retryAfterSeconds: 5 }, cause);
  }
  return bytes;
}
