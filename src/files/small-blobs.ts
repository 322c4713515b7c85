// Reads small blobs whole, and remembers those that were read last: a blob never changes, and its record is asked for each time.
import { Failure } from '../kernel/failure.ts';
import type { BlobStore } from './blob-store.ts';

export const smallBytes = 32 * 1024;
const keptBytes = 8 * 1024 * 1024;

/** For blobs of at most `smallBytes`. */
export type SmallBlobs = (id: string, size: number) => Promise<Buffer>;

export function createSmallBlobs(blobs: Pick<BlobStore, 'read'>): SmallBlobs {
  /** In the order of their last use. */
  const kept = new Map<string, Buffer>();
  let total = 0;
  const forget = (id: string, bytes: Buffer) => {
    kept.delete(id);
    total -= bytes.length;
  };
  const keep = (id: string, bytes: Buffer) => {
    const before = kept.get(id);
    if (before !== undefined) forget(id, before);
    kept.set(id, bytes);
    total += bytes.length;
    for (const [oldest, content] of kept) {
      if (total <= keptBytes) break;
      forget(oldest, content);
    }
  };
  return async (id, size) => {
    const bytes = kept.get(id) ?? (await readWhole(blobs, id, size));
    keep(id, bytes);
    return bytes;
  };
}

async function readWhole(blobs: Pick<BlobStore, 'read'>, id: string, size: number): Promise<Buffer> {
  const stream = await blobs.read(id, { start: 0, end: size - 1 }, size);
  const chunks = (await stream.toArray().catch(() => [])) as Buffer[];
  const bytes = Buffer.concat(chunks);
  if (bytes.length !== size) {
    const cause = new Error('a blob has not the recorded size');
    throw new Failure('STORAGE_UNAVAILABLE', { retryAfterSeconds: 5 }, cause);
  }
  return bytes;
}
