// A storage of files: how it is opened, what to call it, and what to look at when it fails; with a URL where it is not this machine.
import type { BlobStore } from '../files/blob-store.ts';
import type { Provider } from '../kernel/provider.ts';
import type { ProviderUrl } from '../kernel/provider-url.ts';
import type { ReportRefusal } from './s3/s3-outcome.ts';

type StorageNames = {
  readonly title: string;
  /** Where the doctor sends whoever cannot use it. */
  readonly cure: string;
  /** On the disk of the uploads under way, which may be another than that of the database. */
  spoolFolder(dataDir: string): string;
};

/** What holds where STORAGE_URL is not set. */
export type LocalStorage = StorageNames & { createBlobs(dataDir: string): Promise<BlobStore> };

export type StorageProvider = Provider &
  StorageNames & {
    createBlobs(url: ProviderUrl, dataDir: string, report: ReportRefusal | undefined): Promise<BlobStore>;
  };
