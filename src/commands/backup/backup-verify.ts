// The command `backup verify`: reads a backup to its last byte and reports whether it is complete.

import { resolve } from 'node:path';
import { chooseBlobs } from '../../app/choose-blobs.ts';
import { withBackupFolder } from '../../backup/backup-file.ts';
import { openBackupFiles, openBase } from '../../backup/backup-files.ts';
import { readManifest } from '../../backup/backup-folder.ts';
import { verifyBackup } from '../../backup/verify-backup.ts';
import type { Command } from '../declarations.ts';
import type { OperatorContext } from '../operator-context.ts';
import { startProgress } from '../progress.ts';
import { countOf } from '../write-text.ts';

/** Exit code 1 when something is missing or damaged. */
export const backupVerify: Command<'backup verify'> = async (context, { backup, since }) =>
  withBackupFolder(resolve(backup), (folder) => verifyFolder(context, folder, since));

async function verifyFolder(context: OperatorContext, folder: string, since: string | undefined): Promise<0 | 1> {
  const progress = startProgress('Verify');
  const blobsIn = (place: string) => chooseBlobs({ storage: undefined, dataDir: place });
  const { format } = await readManifest(folder);
  const copies = openBackupFiles(folder, await blobsIn(folder), format);
  const base = since === undefined ? undefined : await openBase(resolve(since), await blobsIn(resolve(since)));
  const { manifest, troubles, shared } = await verifyBackup({ copies, base }, { folder, progress: progress.report });
  progress.end();
  const { createdAt, rows, files } = manifest;
  const isWhole = troubles.length === 0;
  const included = files.areIncluded ? '' : ' (not included)';
  const skipped = shared > 0 ? `; ${shared} are shared with ${since} and were not read` : '';
  const lines = [
    `Created at ${createdAt}: ${countOf(rows.users ?? 0, 'user')}, ${countOf(files.count, 'file')}${included}${skipped}.`,
    ...(isWhole ? ['The backup is complete.'] : troubles.map((trouble) => `Damaged: ${trouble}`)),
  ];
  context.show({ isWhole, troubles, createdAt, rows, files, shared }, lines.join('\n'));
  return isWhole ? 0 : 1;
}
