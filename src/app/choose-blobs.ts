// Composition: the blob store that STORAGE_URL names; disk in the data folder by default.
import { disk } from '../adapters/disk/disk.ts';
import { freeBytesAt } from '../adapters/disk/spool.ts';
import { findStorageProvider } from '../adapters/providers.ts';
import type { ReportRefusal } from '../adapters/s3/s3-outcome.ts';
import type { Config } from '../config/config.ts';
import type { BlobStore } from '../files/blob-store.ts';

type Place = Pick<Config, 'storage' | 'dataDir'>;

export function chooseBlobs({ storage, dataDir }: Place, report?: ReportRefusal): Promise<BlobStore> {
  if (storage === undefined) return disk.createBlobs(dataDir);
  return findStorageProvider(storage.scheme).createBlobs(storage, dataDir, report);
}

/** What to call the storage, and what to look at where it cannot be used. */
export function nameStorage({ storage }: Pick<Config, 'storage'>): { readonly title: string; readonly cure: string } {
  return storage === undefined ? disk : findStorageProvider(storage.scheme);
}

/** On the disk of the uploads under way, which may be another than that of the database. */
export function freeForSpools({ storage, dataDir }: Place): Promise<number> {
  const { spoolFolder } = storage === undefined ? disk : findStorageProvider(storage.scheme);
  return freeBytesAt(spoolFolder(dataDir));
}
