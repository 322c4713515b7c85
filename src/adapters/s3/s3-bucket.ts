// A bucket of backups in any S3-compatible storage.
import type { Bucket } from '../../backup/bucket/bucket.ts';
import { Failure, failureFrom } from '../../kernel/failure.ts';
import type { ProviderUrl } from '../../kernel/net/provider-url.ts';
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
  const place = readS3Place(url, 'BACKUP_URL');
  const client = createS3Client(place, { ...defaultTiming, ...timing }, () => undefined);
  const folder = `${place.bucket}/${place.prefix}`;
  const located = (error: unknown) => locate(error, `BACKUP_URL (${folder} on ${url.host})`);
  return {
    fullName: (key) => `${folder}${key}`,
    spool: () => openSpool(spoolFolder),
    put: (key, { reader }, sha256) => storeObject(client, key, { reader, sha256 }).catch(located),
    read: (key, size) => readObject(client, key, { start: 0, end: size - 1 }, size).catch(located),
    list: async function* (beginning) {
      try {
        yield* listObjects(client, beginning);
      } catch (error) {
        located(error);
      }
    },
    remove: (key) => removeObject(client, key).catch(located),
  };
}

/** A command may use the storage of the files, too. */
function locate(error: unknown, place: string): never {
  if (!(error instanceof Failure && error.cause instanceof Error)) throw error;
  throw failureFrom(error, new Error(`${place}: ${error.cause.message}`));
}
