// The command `backup create`: writes a backup into a new folder or file while the service runs.

import { existsSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { chooseBlobs } from '../../app/choose-blobs.ts';
import { backupSchema, openSnapshot } from '../../app/choose-snapshots.ts';
import { isFileName, packFolder } from '../../backup/backup-file.ts';
import { isSigned, openBackupFiles, openBase } from '../../backup/backup-files.ts';
import { refuseUnsigned } from '../../backup/backup-mac.ts';
import { type CreatedBackup, createBackup } from '../../backup/create-backup.ts';
import { formatBytes } from '../../kernel/format-bytes.ts';
import { createPorts } from '../../store/ports.ts';
import { claimPlace } from '../claim-data-dir.ts';
import { CommandError } from '../command-error.ts';
import type { Command } from '../declarations.ts';
import { startProgress } from '../progress.ts';
import { refuseStrangers } from '../require-joined.ts';
import { serviceVersion } from '../service-version.ts';
import { countOf } from '../write-text.ts';
import { signingKey, tellSignature } from './backup-keys.ts';
import { refuseInside } from './refuse-inside.ts';

/** Exit code 1 when a file that has a record could not be read, or a restore would refuse a row. */
export const backupCreate: Command<'backup create'> = async (context, { to, since, dbOnly }) => {
  const config = context.config();
  const place = resolve(to);
  refuseInside(place);
  const isFile = isFileName(place);
  const folder = isFile ? `${place}.part` : place;
  if (isFile && existsSync(place)) throw new CommandError(`${place} exists. Name a new file.`);
  if (since !== undefined && dbOnly)
    throw new CommandError('--db-only leaves the files out: there is nothing to share with an earlier backup.');
  const key = signingKey(config);
  if (since !== undefined) refuseUnsigned(resolve(since), await isSigned(resolve(since)), key);
  const base = since === undefined ? undefined : await openBase(resolve(since), await blobsIn(resolve(since)));
  const store = await context.openStore();
  const progress = startProgress('Backup');
  const blobs = await context.blobs();
  await refuseStrangers(config, store, blobs);
  await makeEmptyFolder(folder, isFile);
  const deps = {
    clock: store.clock,
    files: createPorts(store).files,
    blobs,
    copies: dbOnly ? undefined : openBackupFiles(folder, await blobsIn(folder)),
    base,
    schema: backupSchema,
    key,
    openSnapshot: () => openSnapshot(config, folder),
  };
  const made = await createBackup(deps, { folder, version: serviceVersion, progress: progress.report });
  if (isFile) {
    await packFolder(folder, place);
    await rm(folder, { recursive: true });
  }
  await store.call('recordAudit', {
    kind: 'backup.created',
    detail: {
      files: made.files.count,
      bytes: made.files.bytes,
      withFiles: made.files.areIncluded,
      ...(base !== undefined && { copied: made.copied.count }),
    },
    now: store.clock.now(),
  });
  progress.end();
  const text = `${describe(place, made, since)}\n${tellSignature(key)}`;
  context.show({ place, ...made, signedWith: key?.id ?? null }, text);
  return made.damagedCount === 0 && made.troubles.length === 0 ? 0 : 1;
};

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

function describe(
  place: string,
  { rows, files, copied, damaged, damagedCount, troubles }: CreatedBackup,
  since: string | undefined,
): string {
  const content = files.areIncluded ? `${countOf(files.count, 'file')} (${formatBytes(files.bytes)})` : 'no files';
  const share = since === undefined ? '' : `, of which ${copied.count} (${formatBytes(copied.bytes)}) are new`;
  return [
    `${place}: ${countOf(rows.users ?? 0, 'user')}, ${content}${share}`,
    ...damaged.map((id) => `NOT in the backup, because its bytes are missing or damaged: ${id}`),
    ...(damagedCount > damaged.length ? [`… and ${damagedCount - damaged.length} more`] : []),
    ...troubles.map((trouble) => `A restore will refuse this backup: ${trouble}`),
  ].join('\n');
}
