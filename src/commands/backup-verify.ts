// The command `backup verify`: reads a backup to its last byte and says whether it is whole.
import { resolve } from 'node:path';
import { withBackupFolder } from '../backup/backup-file.ts';
import { verifyBackup } from '../backup/verify-backup.ts';
import { chooseBlobs } from '../choose-blobs.ts';
import { startProgress } from './progress.ts';
import { orRefusal } from './refusals.ts';
import { print } from './terminal.ts';

/** Exit code 1 when something is missing or damaged. */
export function backupVerify(backup: string, { json }: { json?: true }): Promise<number> {
  return orRefusal(() => withBackupFolder(resolve(backup), (folder) => verify(folder, json)));
}

async function verify(folder: string, json: true | undefined): Promise<number> {
  const progress = startProgress('Verify');
  const copies = await chooseBlobs({ storage: undefined, dataDir: folder });
  const { manifest, troubles } = await verifyBackup({ copies }, { folder, progress: progress.report });
  progress.end();
  const { createdAt, rows, files } = manifest;
  const words = troubles.length === 0 ? ['The backup is whole.'] : troubles.map((trouble) => `Broken: ${trouble}`);
  const summary = `Made at ${createdAt}: ${rows.users ?? 0} users, ${files.count} files${files.areIncluded ? '' : ' (not included)'}.`;
  print(
    json
      ? `${JSON.stringify({ isWhole: troubles.length === 0, troubles, createdAt, rows, files })}\n`
      : `${[summary, ...words].join('\n')}\n`,
  );
  return troubles.length === 0 ? 0 : 1;
}
