// The command `backup create`: writes a backup into a new folder, a new file or the bucket, while the service runs.

import { existsSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { isFileName, packFolder } from '../../backup/backup-file.ts';
import { isSigned, openBackupFiles, openBase, shareFile } from '../../backup/backup-files.ts';
import { refuseUnsigned } from '../../backup/backup-mac.ts';
import { chooseBlobs } from '../../service/choose-blobs.ts';
import { claimPlace } from '../claim-data-dir.ts';
import { CommandError } from '../command-error.ts';
import type { Command, CommandInput } from '../declarations.ts';
import type { OperatorContext } from '../operator-context.ts';
import { startProgress } from '../progress.ts';
import { signingKey } from './backup-keys.ts';
import { nameInBucket } from './backup-place.ts';
import { createInBucket } from './create-in-bucket.ts';
import { endBackup, makeBackup } from './make-backup.ts';
import { refuseInside } from './refuse-inside.ts';

export const backupCreate: Command<'backup create'> = async (context, input) => {
  const name = nameInBucket(input.to);
  if (input.since !== undefined && input.dbOnly)
    throw new CommandError('--db-only leaves the files out: there is nothing to share with an earlier backup.');
  if (name === undefined) return createOnDisk(context, input);
  if (input.since !== undefined)
    throw new CommandError('In a bucket all backups share their files. Leave --since out.', 2);
  return createInBucket(context, name, input.dbOnly);
};

async function createOnDisk(
  context: OperatorContext,
  { to, since, dbOnly }: CommandInput<'backup create'>,
): Promise<0 | 1> {
  const place = resolve(to);
  refuseInside(place);
  const isFile = isFileName(place);
  const folder = isFile ? `${place}.part` : place;
  if (isFile && existsSync(place)) throw new CommandError(`${place} exists. Name a new file.`);
  const key = signingKey(context.config());
  if (since !== undefined) refuseUnsigned(resolve(since), await isSigned(resolve(since)), key);
  const base = since === undefined ? undefined : await openBase(resolve(since), await blobsIn(resolve(since)));
  const progress = startProgress('Backup');
  const made = await makeBackup(context, async () => {
    await makeEmptyFolder(folder, isFile);
    const copies = dbOnly ? undefined : openBackupFiles(folder, await blobsIn(folder));
    const share = base && copies && ((facts: Parameters<typeof shareFile>[2]) => shareFile(base, copies, facts));
    return { folder, progress: progress.report, copies, share, key };
  });
  if (isFile) {
    await packFolder(folder, place);
    await rm(folder, { recursive: true });
  }
  progress.end();
  return endBackup(context, { place, made, key, isShared: base !== undefined });
}

async function makeEmptyFolder(folder: string, isForFile: boolean): Promise<void> {
  claimPlace(folder, '--to');
  if ((await readdir(folder)).length === 0) return;
  if (isForFile)
    throw new CommandError(
      `${folder} exists: another backup is running or was interrupted. Remove it, or name another file.`,
    );
  throw new CommandError(
    `${folder} is not empty. Name a new folder, for example ${join(dirname(folder), '$(date +%F)')}.`,
  );
}

/** The blobs in the folder of a backup. */
function blobsIn(folder: string) {
  return chooseBlobs({ storage: undefined, dataDir: folder });
}
