// `backup create --to s3:NAME`: rows and lists are prepared beside the data, files go straight to the bucket, and an interrupted one is continued.
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ifThere } from '../../backup/backup-folder.ts';
import { claimBucket, newClaim } from '../../backup/bucket/bucket-claim.ts';
import { areFilesHeld, openVaultFiles, sendBackup } from '../../backup/bucket/sealed-backup.ts';
import { findIndex } from '../../backup/bucket/sealed-index.ts';
import { holds, openVault, type Vault } from '../../backup/bucket/vault.ts';
import type { CreatedBackup } from '../../backup/create-backup.ts';
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
  const claim = newClaim('sending', name);
  const lock = await lockWork(work, claim);
  if (lock.left !== undefined) await bucket.remove(lock.left).catch(() => undefined);
  const release = await claimBucket(bucket, systemClock, claim);
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
    await rm(lock.path, { force: true });
  }
}

/**
 * One process at a time prepares and sends a backup of this name here. `left`: the claim of one that was killed. That of one that runs,
 * here or elsewhere, is never touched.
 */
async function lockWork(
  work: string,
  claim: string,
): Promise<{ readonly path: string; readonly left: string | undefined }> {
  const path = `${work}.lock`;
  claimPlace(dirname(path), 'DATA_DIR');
  const [pid = '', left] = (await readFile(path, 'utf8').catch(() => '')).split(' ');
  // In a container every process may have the same number.
  if (/^\d+$/.test(pid) && Number(pid) !== process.pid && isRunning(Number(pid)))
    throw new CommandError(`Process ${pid} makes a backup of this name already. Wait for it, or name another one.`);
  await rm(path, { force: true });
  await writeFile(path, `${process.pid} ${claim}`, { flag: 'wx', mode: 0o600 });
  return { path, left };
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
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
