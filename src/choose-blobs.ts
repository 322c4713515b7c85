// Composition: the blob store that STORAGE_URL names; disk in the data folder by default.
import { join } from 'node:path';
import { createDiskBlobs } from './adapters/disk/disk-blobs.ts';
import type { Config } from './config/config.ts';
import type { BlobStore } from './files/blob-store.ts';

export async function chooseBlobs({ storage, dataDir }: Pick<Config, 'storage' | 'dataDir'>): Promise<BlobStore> {
  if (storage === undefined) return createDiskBlobs(join(dataDir, 'files'));
  const { createS3Blobs } = await import('./adapters/s3/s3-blobs.ts');
  return createS3Blobs(storage, join(dataDir, 'spool'));
}
