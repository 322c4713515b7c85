// The S3 storage provider and its URL grammar. It loads the client when it creates the blob store.
import { join } from 'node:path';
import type { StorageProvider } from '../storage-provider.ts';

export const s3 = {
  schemes: ['s3'],
  forms: ['s3://KEY:SECRET@host:port/bucket?region=…'],
  note: '&tls=0 sends in plain text',
  parameters: ['region', 'prefix', 'tls'],
  bare: 'host',
  isLocalOnly: false,
  isComplete: ({ id, secret, host, path }) =>
    id !== '' && secret !== '' && host !== '' && /^\/[A-Za-z0-9][A-Za-z0-9._-]{1,62}\/?$/.test(path),
  plainHost: ({ host, query }) => (query.tls === '0' ? host : undefined),
  title: 'S3',
  cure: 'check host, bucket, region and keys in STORAGE_URL; the key must be allowed to list, put, get and delete objects',
  spoolFolder: (dataDir) => dataDir,
  createBlobs: async (url, dataDir, report) => {
    const { createS3Blobs } = await import('./s3-blobs.ts');
    return createS3Blobs(url, join(dataDir, 'spool'), {}, report);
  },
  createBucket: async (url, spoolFolder, isPatient) => {
    const { createS3Bucket } = await import('./s3-bucket.ts');
    return createS3Bucket(url, spoolFolder, isPatient ? {} : { retryPausesMilliseconds: [] });
  },
} as const satisfies StorageProvider;
