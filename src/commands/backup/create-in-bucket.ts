// `backup create --to s3:NAME`: rows and lists are prepared beside the data, files go straight to the bucket, and an interrupted one is continued.
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ifThere } from '../../backup/backup-folder.ts';
import { claimBucket } from '../../backup/bucket-claim.ts';
import type { CreatedBackup } from '../../backup/create-backup.ts';
import { areFilesHeld, openVaultFiles, sendBackup } from '../../backup/sealed-backup.ts';
import { findIndex } from '../../backup/sealed-index.ts';
import { holds, openVault, type Vault } from '../../backup/vault.ts';
import { systemClock } from '../../kernel/clock.ts';
import { claimPlace } from '../claim-data-dir.ts';
import { CommandError } from '../command-error.ts';
import type { OperatorContext } from '../operator-context.ts';
import { startProgress } from '../progress.ts';
import { openBucket, workFolder } from './backup-place.ts';
import { endBackup, makeBackup } from './make-backup.ts';

export async function createInBucket(context: OperatorContext, name: string, dbOnly: boolean): Promise<0 | 1> {
  const config = context.config();
  const { bucket, keys } = await openBucket(config);
  const [key] = keys;
  if (config.backupKey === undefined)
    throw new CommandError(
      'BACKUP_KEY_PREVIOUS is set, and BACKUP_KEY is not: it seals new backups. Set BACKUP_KEY.',
      78,
    );
  if ((await findIndex(bucket, name)) !== undefined)
    throw new CommandError(`There is a backup s3:${name} already. Name another one.`);
  const work = workFolder(config.dataDir, `sending-${name}`);
  const release = await claimBucket(bucket, systemClock, 'sending', name);
  try {
    const vault = await openVault(bucket, key);
    const progress = startProgress('Backup');
    const made =
      (await findUnsent(work, vault)) ??
      (await prepare(work, () =>
        makeBackup(context, async () => {
          const folder = join(work, 'backup');
          const copies = dbOnly ? undefined : openVaultFiles(vault, folder);
          return { folder, progress: progress.report, copies, key, share: async (facts) => holds(vault, facts) };
        }),
      ));
    await sendBackup(vault, { folder: join(work, 'backup'), name, progress: progress.report });
    await rm(work, { recursive: true, force: true });
    progress.end();
    return await endBackup(context, { place: `s3:${name}`, made, key, isShared: true });
  } finally {
    await release();
  }
}

const summary = (work: string) => join(work, 'made.json');

/** What is in the folder is known to be finished only with its summary, which is written last. */
async function prepare(work: string, make: () => Promise<CreatedBackup>): Promise<CreatedBackup> {
  await rm(work, { recursive: true, force: true });
  claimPlace(work, 'DATA_DIR');
  await mkdir(join(work, 'backup'), { mode: 0o700 });
  const made = await make();
  await writeFile(summary(work), JSON.stringify(made), { flag: 'wx', mode: 0o600, flush: true });
  return made;
}

/** A backup that was made, and not sent to its end. Its files may have been removed from the bucket since: then it is made again. */
async function findUnsent(work: string, vault: Vault): Promise<CreatedBackup | undefined> {
  const text = await ifThere(summary(work), readFile(summary(work), 'utf8'));
  if (text === undefined) return undefined;
  const made = JSON.parse(text) as CreatedBackup;
  const isWhole = !made.files.areIncluded || (await areFilesHeld(vault, join(work, 'backup')));
  return isWhole ? made : undefined;
}
