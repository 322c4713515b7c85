// The command `restore`: brings a backup back into an empty place, where everybody signs in anew.
import { resolve } from 'node:path';
import { chooseBlobs } from '../app/choose-blobs.ts';
import { openEmptyStore } from '../app/choose-snapshots.ts';
import { withBackupFolder } from '../backup/backup-file.ts';
import { openBackupFiles } from '../backup/backup-files.ts';
import { readManifest } from '../backup/backup-folder.ts';
import { emptyJournal, readJournal } from '../backup/journal.ts';
import { type Restored, restoreBackup } from '../backup/restore-backup.ts';
import { BackupError } from '../backup/snapshot.ts';
import type { Config } from '../config/config.ts';
import { systemClock } from '../kernel/clock.ts';
import { formatBytes } from '../kernel/format-bytes.ts';
import { claimPlace } from './claim-data-dir.ts';
import { startProgress } from './progress.ts';
import { orRefusal } from './refusals.ts';
import { print, tell } from './terminal.ts';

export type RestoreOptions = { readonly yes?: true; readonly journal?: string; readonly json?: true };

export function restore(config: Config, backup: string, options: RestoreOptions): Promise<number> {
  return orRefusal(() => withBackupFolder(resolve(backup), (folder) => restoreFolder(config, folder, options)));
}

async function restoreFolder(config: Config, folder: string, { yes, journal, json }: RestoreOptions): Promise<number> {
  const { createdAt, rows, files, format } = await readManifest(folder);
  if (!yes)
    throw new BackupError(
      `This would bring back ${rows.users ?? 0} users and ${files.count} files as of ${createdAt}; everybody has to sign in anew. Say --yes to do it.`,
    );
  const known = journal === undefined ? emptyJournal : await readJournal(journal, Date.parse(createdAt));
  claimPlace(config.dataDir, 'DATA_DIR');
  const progress = startProgress('Restore');
  const deps = {
    clock: systemClock,
    store: await openEmptyStore(config),
    blobs: await chooseBlobs(config),
    copies: openBackupFiles(folder, await chooseBlobs({ storage: undefined, dataDir: folder }), format),
  };
  const restored = await restoreBackup(deps, { folder, journal: known, progress: progress.report });
  progress.end();
  print(json ? `${JSON.stringify(restored)}\n` : describe(restored));
  if (journal === undefined)
    tell(
      `Deletions and blocks after ${createdAt} are undone. Where the old database can still be read, restore with --journal instead.\n`,
    );
  return 0;
}

function describe({ createdAt, users, files, bytes, leftOut }: Restored): string {
  const gone = leftOut.users + leftOut.files;
  const lines = [
    `Restored as of ${createdAt}: ${users} users, ${files} files (${formatBytes(bytes)}).`,
    ...(gone > 0 ? [`Left out, because deleted since: ${leftOut.users} users, ${leftOut.files} files.`] : []),
    'Everybody has to sign in anew. Start the service, then run gatehouse files check.',
  ];
  return `${lines.join('\n')}\n`;
}
