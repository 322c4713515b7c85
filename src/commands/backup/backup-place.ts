// Where a backup is: a folder, a .tar, or `s3:NAME` in the bucket of BACKUP_URL.
import { lstat, mkdtemp, readdir, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { withBackupFolder } from '../../backup/backup-file.ts';
import { type BackupFiles, openBackupFiles } from '../../backup/backup-files.ts';
import type { BackupKey } from '../../backup/backup-mac.ts';
import type { Bucket } from '../../backup/bucket/bucket.ts';
import { fetchBackup } from '../../backup/bucket/sealed-backup.ts';
import { isBackupName } from '../../backup/bucket/sealed-index.ts';
import type { Manifest } from '../../backup/manifest.ts';
import type { Config } from '../../config/config.ts';
import { chooseBlobs, chooseBucket } from '../../service/choose-blobs.ts';
import { claimPlace } from '../claim-data-dir.ts';
import { CommandError } from '../command-error.ts';
import { startProgress } from '../progress.ts';
import { acceptedKeys } from './backup-keys.ts';

type Place = Pick<Config, 'backupBucket' | 'backupKey' | 'previousBackupKey' | 'dataDir'>;

const beginning = 's3:';

/** Undefined for a folder or a file. */
export function nameInBucket(place: string): string | undefined {
  if (!place.startsWith(beginning)) return undefined;
  const name = place.slice(beginning.length);
  if (isBackupName(name)) return name;
  throw new CommandError(
    `${place} is not the name of a backup in a bucket. Write s3: and up to 64 letters, digits and . _ -, for example s3:2027-01-31. The bucket stands in BACKUP_URL.`,
    2,
  );
}

type OpenedBucket = { readonly bucket: Bucket; readonly keys: readonly [BackupKey, ...BackupKey[]] };

export async function openBucket(config: Place): Promise<OpenedBucket> {
  const { backupBucket, dataDir } = config;
  if (backupBucket === undefined)
    throw new CommandError('BACKUP_URL is not set. Set it to s3://KEY:SECRET@host/bucket, the bucket of backups.', 78);
  const [first, ...others] = acceptedKeys(config);
  if (first === undefined)
    throw new CommandError(
      'BACKUP_KEY is not set: backups in a bucket are sealed with it. Set it: openssl rand -base64 48',
      78,
    );
  await removeLeftovers(dataDir);
  return { bucket: await chooseBucket(backupBucket, workFolder(dataDir, 'spool')), keys: [first, ...others] };
}

const leftoverMilliseconds = 48 * 3_600_000;

/** What a killed command has left. A backup that is being sent stays: the same command continues it. */
async function removeLeftovers(dataDir: string): Promise<void> {
  const root = workFolder(dataDir, '.');
  // A link would lead to folders of others.
  for (const folder of [root, workFolder(dataDir, 'spool')])
    if ((await lstat(folder).catch(() => undefined))?.isSymbolicLink() === true)
      throw new CommandError(`${folder} is a link. Remove it: backups are prepared in a folder of the service.`);
  const spools = (await readdir(workFolder(dataDir, 'spool')).catch(() => [])).map((name) => join('spool', name));
  const fetched = (await readdir(root).catch(() => [])).filter((name) => name.startsWith('fetched-'));
  for (const name of [...spools, ...fetched]) {
    const found = await lstat(join(root, name)).catch(() => undefined);
    if (found !== undefined && found.mtimeMs < Date.now() - leftoverMilliseconds)
      await rm(join(root, name), { recursive: true, force: true });
  }
}

/** The place of what a command prepares or reads. It may hold rows in the clear, so it stays beside the data. */
export function workFolder(dataDir: string, name: string): string {
  return name === '.' ? join(dataDir, 'backup-work') : join(dataDir, 'backup-work', name);
}

/** The files of the backup whose parts are in the folder. */
export type OpenFiles = (manifest: Manifest) => Promise<BackupFiles>;

/** Calls the work with the folder of the backup, wherever it is. What was brought there is removed after the work. */
export async function withBackup<T>(
  config: Place,
  place: string,
  work: (folder: string, openFiles: OpenFiles) => Promise<T>,
): Promise<T> {
  const name = nameInBucket(place);
  if (name === undefined)
    return withBackupFolder(resolve(place), (folder) =>
      work(folder, async ({ format }) =>
        openBackupFiles(folder, await chooseBlobs({ storage: undefined, dataDir: folder }), format),
      ),
    );
  const { bucket, keys } = await openBucket(config);
  const root = workFolder(config.dataDir, '.');
  claimPlace(root, 'DATA_DIR');
  const folder = await mkdtemp(join(root, 'fetched-'));
  const progress = startProgress('Fetch');
  try {
    const files = await fetchBackup(bucket, keys, { name, folder, progress: progress.report });
    progress.end();
    return await work(folder, async () => files);
  } finally {
    progress.end();
    await rm(folder, { recursive: true, force: true });
  }
}
