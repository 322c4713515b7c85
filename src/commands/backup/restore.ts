// The command `restore`: restores a backup into an empty database and storage. All users have to sign in again.

import { requireMac } from '../../backup/backup-mac.ts';
import { emptyJournal, readJournal } from '../../backup/journal/journal.ts';
import { readManifest } from '../../backup/manifest.ts';
import { type Restored, restoreBackup } from '../../backup/restore/restore-backup.ts';
import { systemClock } from '../../kernel/clock.ts';
import { formatBytes } from '../../kernel/text/format-bytes.ts';
import { openEmptyStore } from '../../service/choose-snapshots.ts';
import { claimPlace } from '../claim-data-dir.ts';
import { CommandError } from '../command-error.ts';
import type { Command, CommandInput } from '../declarations.ts';
import type { OperatorContext } from '../operator-context.ts';
import { startProgress } from '../progress.ts';
import { countOf } from '../write-text.ts';
import { acceptedKeys } from './backup-keys.ts';
import { type OpenFiles, withBackup } from './backup-place.ts';
import { journalReach } from './journal-reach.ts';

export const restore: Command<'restore'> = async (context, input) =>
  withBackup(context.config(), input.backup, (folder, openFiles) => restoreFolder(context, folder, openFiles, input));

async function restoreFolder(
  context: OperatorContext,
  folder: string,
  openFiles: OpenFiles,
  { yes, journal, unauthenticated }: CommandInput<'restore'>,
): Promise<0> {
  const config = context.config();
  const check = requireMac(acceptedKeys(config), unauthenticated);
  const manifest = await readManifest(folder, check);
  const { createdAt, rows, files } = manifest;
  if (!yes)
    throw new CommandError(
      `This would restore ${countOf(rows.users ?? 0, 'user')} and ${countOf(files.count, 'file')} as of ${createdAt}; all users would have to sign in again. Add --yes to do it.`,
    );
  const known = journal === undefined ? emptyJournal : await readJournal(journal, Date.parse(createdAt), check);
  const progress = startProgress('Restore');
  const deps = {
    clock: systemClock,
    store: await openEmptyStore(config),
    blobs: await context.blobs(),
    copies: await openFiles(manifest),
    begin: () => claimPlace(config.dataDir, 'DATA_DIR'),
  };
  const restored = await restoreBackup(deps, { folder, manifest, journal: known, progress: progress.report });
  progress.end();
  context.show(restored, describe(restored));
  context.say(
    journal === undefined
      ? `Deletions and blocks after ${createdAt} are undone. If the old database can still be read, restore with --journal instead.`
      : journalReach(known.reachesTo, createdAt),
  );
  return 0;
}

function describe({ createdAt, users, files, bytes, leftOut }: Restored): string {
  const gone = leftOut.users + leftOut.files;
  return [
    `Restored as of ${createdAt}: ${countOf(users, 'user')}, ${countOf(files, 'file')} (${formatBytes(bytes)}).`,
    ...(gone > 0 ? [`Left out because they were deleted since: ${leftOut.users} users, ${leftOut.files} files.`] : []),
    'A backup has no service keys. If servers of apps need them: gatehouse service-keys create --help',
    'All users have to sign in again. Start the service, then run gatehouse files check.',
  ].join('\n');
}
