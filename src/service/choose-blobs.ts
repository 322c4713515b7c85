// Composition: creates the blob store that STORAGE_URL names. The default is the disk in the data folder.
import { disk } from '../adapters/disk/disk.ts';
import { freeBytesAt } from '../adapters/disk/spool.ts';
import { findStorageProvider, type StorageScheme } from '../adapters/providers.ts';
import type { ReportRefusal } from '../adapters/s3/s3-outcome.ts';
import type { Bucket } from '../backup/bucket/bucket.ts';
import type { Config } from '../config/config.ts';
import { createSpoolBudget, type SpoolBudget } from '../files/spool/spool-budget.ts';
import type { BlobStore } from '../files/storage/blob-store.ts';
import type { ProviderUrl } from '../kernel/net/provider-url.ts';

type Place = Pick<Config, 'storage' | 'dataDir'>;

export function chooseBlobs({ storage, dataDir }: Place, report?: ReportRefusal): Promise<BlobStore> {
  if (storage === undefined) return disk.createBlobs(dataDir);
  return findStorageProvider(storage.scheme).createBlobs(storage, dataDir, report);
}

/** Reads the installation id of the storage, whenever it is called. */
export function readMarkOf(place: Place): () => Promise<string | undefined> {
  let blobs: Promise<BlobStore> | undefined;
  return async () => {
    blobs ??= chooseBlobs(place).catch((error) => {
      blobs = undefined;
      throw error;
    });
    return (await blobs).readMark();
  };
}

/** The bucket of BACKUP_URL. A patient one tries again what fails. */
export function chooseBucket(url: ProviderUrl<StorageScheme>, spoolFolder: string, isPatient = true): Promise<Bucket> {
  return findStorageProvider(url.scheme).createBucket(url, spoolFolder, isPatient);
}

/** The name of the storage in messages, and what to check if it cannot be used. */
export function nameStorage({ storage }: Pick<Config, 'storage'>): { readonly title: string; readonly cure: string } {
  return storage === undefined ? disk : findStorageProvider(storage.scheme);
}

/** The disk that holds unfinished uploads. The database may be on another disk. */
export function chooseSpoolBudget(config: Pick<Config, 'storage' | 'dataDir' | 'files' | 'listen'>): SpoolBudget {
  return createSpoolBudget(config.files.quota.bytes, {
    freeBytes: () => freeForSpools(config),
    mostBytes: config.files.spoolBytes,
    processes: config.listen.workers,
    largestBytes: Math.max(...config.files.purposes.map(({ maxBytes }) => maxBytes)),
    now: () => performance.now(),
  });
}

function freeForSpools({ storage, dataDir }: Place): Promise<number> {
  const { spoolFolder } = storage === undefined ? disk : findStorageProvider(storage.scheme);
  return freeBytesAt(spoolFolder(dataDir));
}
