// A bucket of backups in any S3-compatible storage.
import type { Bucket } from '../../backup/bucket.ts';
import type { ProviderUrl } from '../../kernel/provider-url.ts';
import { openSpool } from '../disk/spool.ts';
import { createS3Client } from './s3-client.ts';
import { listObjects, readObject, removeObject, storeObject } from './s3-objects.ts';
import { readS3Place } from './s3-place.ts';
import type { S3Timing } from './s3-transport.ts';

/** Nobody waits for an answer of the service: it may take as long as a busy bucket needs. */
const defaultTiming: S3Timing = {
  connectMilliseconds: 5000,
  answerMilliseconds: 15_000,
  idleMilliseconds: 60_000,
  retryPausesMilliseconds: [500, 2000, 5000, 10_000],
};

export function createS3Bucket(url: ProviderUrl, spoolFolder: string, timing: Partial<S3Timing> = {}): Bucket {
  const client = createS3Client(readS3Place(url, 'BACKUP_URL'), { ...defaultTiming, ...timing }, () => undefined);
  return {
    spool: () => openSpool(spoolFolder),
    put: (key, { reader }, sha256) => storeObject(client, key, { reader, sha256 }),
    read: (key, size) => readObject(client, key, { start: 0, end: size - 1 }, size),
    list: (beginning) => listObjects(client, beginning),
    remove: (key) => removeObject(client, key),
  };
}
