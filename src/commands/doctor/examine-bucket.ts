// The check of the doctor that looks into the bucket of BACKUP_URL. It only lists: the key may not be allowed to delete.

import { listIndexes } from '../../backup/bucket/sealed-index.ts';
import type { Config } from '../../config/config.ts';
import { chooseBucket } from '../../service/choose-blobs.ts';
import { countOf } from '../write-text.ts';
import { messageOf } from './attempt.ts';
import { bad, doubtful, type Finding, good } from './finding.ts';

type Place = Pick<Config, 'backupBucket' | 'backupKey' | 'dataDir'>;

export async function examineBucket({ backupBucket, backupKey, dataDir }: Place): Promise<Finding[]> {
  if (backupBucket === undefined) return [];
  try {
    const bucket = await chooseBucket(backupBucket, dataDir, false);
    let [count, lastAt] = [0, 0];
    for await (const { modifiedAt } of listIndexes(bucket)) {
      count += 1;
      lastAt = Math.max(lastAt, modifiedAt);
    }
    return [judgeBucket({ count, lastAt }, backupKey !== undefined)];
  } catch (error) {
    const cure =
      'check host, bucket, prefix, region and keys in BACKUP_URL; the key must be allowed to list, put and get objects';
    return [bad('bucket', `backups can be neither stored nor listed: ${messageOf(error)}`, cure)];
  }
}

/** The age of the last backup is judged elsewhere: it may be in a folder. */
export function judgeBucket({ count, lastAt }: { count: number; lastAt: number }, hasKey: boolean): Finding {
  const last = count === 0 ? '' : `, the last one of ${new Date(lastAt).toISOString()}`;
  const detail = `has ${countOf(count, 'finished backup')}${last}`;
  if (!hasKey)
    return bad(
      'bucket',
      `${detail}; BACKUP_KEY is not set, so none can be made or read`,
      'set BACKUP_KEY: openssl rand -base64 48',
    );
  if (count === 0) return doubtful('bucket', detail, 'run gatehouse backup create --to s3:NAME every day');
  return good('bucket', detail);
}
