// Use case: copy one blob to another storage. The target stores it only if it has the recorded hash.
import { createHash } from 'node:crypto';
import { Failure } from '../../kernel/failure.ts';
import type { StoredFile } from '../stored-file.ts';
import type { BlobStore } from './blob-store.ts';

export type BlobInfo = Pick<StoredFile, 'id' | 'size' | 'sha256'>;

export type BlobSource = Pick<BlobStore, 'read'>;
export type BlobTarget = Pick<BlobStore, 'spool' | 'keep'>;

/** unreadable: missing or with a wrong size. damaged: the bytes differ from those that were stored. */
type CopyOutcome = 'copied' | 'unreadable' | 'damaged';

/** Throws errors of the target. Returns errors of the source as the outcome. */
export async function copyBlob(source: BlobSource, target: BlobTarget, facts: BlobInfo): Promise<CopyOutcome> {
  const { id, size, sha256 } = facts;
  const stream = await openWhole(source, facts);
  if (stream === undefined) return 'unreadable';
  const spool = await target.spool();
  const hash = createHash('sha256');
  try {
    const chunks = stream[Symbol.asyncIterator]();
    for (;;) {
      const next = await chunks.next().catch(() => undefined);
      if (next === undefined) return 'unreadable';
      if (next.done === true) break;
      hash.update(next.value);
      await spool.write(next.value);
    }
    if (spool.size !== size || hash.digest('hex') !== sha256) return 'damaged';
    await target.keep(spool, id, sha256);
    return 'copied';
  } finally {
    stream.destroy();
    await spool.discard();
  }
}

/** Whether the storage returns exactly the bytes that were stored. */
export async function isBlobSound(blobs: BlobSource, facts: BlobInfo): Promise<boolean> {
  const stream = await openWhole(blobs, facts);
  if (stream === undefined) return false;
  const hash = createHash('sha256');
  try {
    for await (const chunk of stream) hash.update(chunk);
  } catch {
    return false;
  }
  return hash.digest('hex') === facts.sha256;
}

async function openWhole(blobs: BlobSource, { id, size }: BlobInfo) {
  try {
    return await blobs.read(id, { start: 0, end: size - 1 }, size);
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
}
