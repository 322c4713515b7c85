// What every form of `backup create` does: opens database and storage, writes the backup, records it and says what is in it.

import type { BackupKey } from '../../backup/backup-mac.ts';
import { type BackupDeps, type CreatedBackup, createBackup } from '../../backup/create-backup.ts';
import type { Progress } from '../../kernel/process/progress.ts';
import { formatBytes } from '../../kernel/text/format-bytes.ts';
import { backupSchema, openSnapshot } from '../../service/choose-snapshots.ts';
import { createPorts } from '../../store/ports.ts';
import type { OperatorContext } from '../operator-context.ts';
import { refuseStrangers } from '../require-joined.ts';
import { serviceVersion } from '../service-version.ts';
import { countOf } from '../write-text.ts';
import { tellSignature } from './backup-keys.ts';

type Target = Pick<BackupDeps, 'copies' | 'share' | 'key'> & { readonly folder: string; readonly progress: Progress };

/** `prepare` is called when database and storage are known to be there, before anything is written. */
export async function makeBackup(context: OperatorContext, prepare: () => Promise<Target>): Promise<CreatedBackup> {
  const config = context.config();
  const store = await context.openStore();
  const blobs = await context.blobs();
  await refuseStrangers(config, store, blobs);
  const { folder, progress, ...target } = await prepare();
  const deps: BackupDeps = {
    ...target,
    clock: store.clock,
    files: createPorts(store).files,
    blobs,
    schema: backupSchema,
    openSnapshot: () => openSnapshot(config, folder),
  };
  return createBackup(deps, { folder, version: serviceVersion, progress });
}

type Ended = {
  readonly place: string;
  readonly made: CreatedBackup;
  readonly key: BackupKey | undefined;
  readonly isShared: boolean;
};

/** Exit code 1 when a file that has a record could not be read, or a restore would refuse a row. */
export async function endBackup(context: OperatorContext, { place, made, key, isShared }: Ended): Promise<0 | 1> {
  const store = await context.openStore();
  await store.call('audit.record', {
    kind: 'backup.created',
    detail: {
      files: made.files.count,
      bytes: made.files.bytes,
      withFiles: made.files.areIncluded,
      ...(isShared && { copied: made.copied.count }),
    },
    now: store.clock.now(),
  });
  const text = `${describe(place, made, isShared)}\n${tellSignature(key)}`;
  context.show({ place, ...made, signedWith: key?.id ?? null }, text);
  return made.damagedCount === 0 && made.troubles.length === 0 ? 0 : 1;
}

function describe(
  place: string,
  { rows, files, copied, damaged, damagedCount, troubles }: CreatedBackup,
  isShared: boolean,
): string {
  const content = files.areIncluded ? `${countOf(files.count, 'file')} (${formatBytes(files.bytes)})` : 'no files';
  const share = isShared ? `, of which ${copied.count} (${formatBytes(copied.bytes)}) are new` : '';
  return [
    `${place}: ${countOf(rows.users ?? 0, 'user')}, ${content}${share}`,
    ...damaged.map((id) => `NOT in the backup, because its bytes are missing or damaged: ${id}`),
    ...(damagedCount > damaged.length ? [`… and ${damagedCount - damaged.length} more`] : []),
    ...troubles.map((trouble) => `A restore will refuse this backup: ${trouble}`),
  ].join('\n');
}
