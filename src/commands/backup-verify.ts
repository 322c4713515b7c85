// The command `backup verify`: reads a backup to its last byte and says whether it is whole.
import { resolve } from 'node:path';
import { chooseBlobs } from '../app/choose-blobs.ts';
import { withBackupFolder } from '../backup/backup-file.ts';
import { openBackupFiles, openBase } from '../backup/backup-files.ts';
import { readManifest } from '../backup/backup-folder.ts';
import { verifyBackup } from '../backup/verify-backup.ts';
import { startProgress } from './progress.ts';
import { orRefusal } from './refusals.ts';
import { print } from './terminal.ts';

export type VerifyOptions = { readonly since?: string; readonly json?: true };

/** Exit code 1 when something is missing or damaged. */
export function backupVerify(backup: string, options: VerifyOptions): Promise<number> {
  return orRefusal(() => withBackupFolder(resolve(backup), (folder) => verify(folder, options)));
}

async function verify(folder: string, { since, json }: VerifyOptions): Promise<number> {
  const progress = startProgress('Verify');
  const blobsIn = (place: string) => chooseBlobs({ storage: undefined, dataDir: place });
  const { format } = await readManifest(folder);
  const copies = openBackupFiles(folder, await blobsIn(folder), format);
  const base = since === undefined ? undefined : await openBase(resolve(since), await blobsIn(resolve(since)));
  const { manifest, troubles, shared } = await verifyBackup({ copies, base }, { folder, progress: progress.report });
  progress.end();
  const { createdAt, rows, files } = manifest;
  const words = troubles.length === 0 ? ['The backup is whole.'] : troubles.map((trouble) => `Broken: ${trouble}`);
  const summary = `Made at ${createdAt}: ${rows.users ?? 0} users, ${files.count} files${files.areIncluded ? '' : ' (not included)'}${shared > 0 ? `; ${shared} are shared with ${since} and were not read` : ''}.`;
  print(
    json
      ? `${JSON.stringify({ isWhole: troubles.length === 0, troubles, createdAt, rows, files, shared })}\n`
      : `${[summary, ...words].join('\n')}\n`,
  );
  return troubles.length === 0 ? 0 : 1;
}
