// The types of a storage provider: how to open it, its name, and what to check when it fails.
import type { Bucket } from '../backup/bucket/bucket.ts';
import type { BlobStore } from '../files/storage/blob-store.ts';
import type { Provider } from '../kernel/net/provider.ts';
import type { ProviderUrl } from '../kernel/net/provider-url.ts';
import type { ReportRefusal } from './s3/s3-outcome.ts';

type StorageNames = {
  readonly title: string;
  /** What the operator should check if the storage cannot be used. */
  readonly cure: string;
  /** A folder on the disk of the uploads under way. It may be another disk than that of the database. */
  spoolFolder(dataDir: string): string;
};

/** The storage without STORAGE_URL. */
export type LocalStorage = StorageNames & { createBlobs(dataDir: string): Promise<BlobStore> };

export type StorageProvider = Provider &
  StorageNames & {
    createBlobs(url: ProviderUrl, dataDir: string, report: ReportRefusal | undefined): Promise<BlobStore>;
    /** For backups. Sealed bytes wait in the folder until they are sent. A patient one tries again what fails. */
    createBucket(url: ProviderUrl, spoolFolder: string, isPatient: boolean): Promise<Bucket>;
  };
