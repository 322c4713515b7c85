// Composition: the blob store that STORAGE_URL names; disk in the data folder by default.
import { join } from 'node:path';
import { createDiskBlobs } from '../adapters/disk/disk-blobs.ts';
import { freeBytesAt } from '../adapters/disk/spool.ts';
import type { ReportRefusal } from '../adapters/s3/s3-outcome.ts';
import type { Config } from '../config/config.ts';
import type { BlobStore } from '../files/blob-store.ts';

type Place = Pick<Config, 'storage' | 'dataDir'>;

export async function chooseBlobs({ storage, dataDir }: Place, report?: ReportRefusal): Promise<BlobStore> {
  if (storage === undefined) return createDiskBlobs(join(dataDir, 'files'));
  const { createS3Blobs } = await import('../adapters/s3/s3-blobs.ts');
  return createS3Blobs(storage, join(dataDir, 'spool'), {}, report);
}

/** On the disk of the uploads under way, which may be another than that of the database. */
export function freeForSpools({ storage, dataDir }: Place): Promise<number> {
  return freeBytesAt(storage === undefined ? join(dataDir, 'files') : dataDir);
}
