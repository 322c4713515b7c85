// The command `backup create`: writes a backup into a new folder or file while the service runs.
import { existsSync } from 'node:fs';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { createPorts } from '../adapters/sql/ports.ts';
import { isFileName, packFolder } from '../backup/backup-file.ts';
import { createBackup, type MadeBackup } from '../backup/create-backup.ts';
import { Refusal } from '../backup/snapshot.ts';
import { chooseBlobs } from '../choose-blobs.ts';
import { openSnapshot } from '../choose-snapshots.ts';
import type { Config } from '../config/config.ts';
import { formatBytes } from '../kernel/format-bytes.ts';
import { serviceVersion } from './banner.ts';
import { openMigrated } from './open-migrated.ts';
import { startProgress } from './progress.ts';
import { orRefusal } from './refusals.ts';
import { refuseStrangers } from './require-joined.ts';
import { print } from './terminal.ts';

export type BackupOptions = { readonly to: string; readonly dbOnly?: true; readonly json?: true };

/** Exit code 1 when a file that has a record could not be read. */
export function backupCreate(config: Config, { to, dbOnly, json }: BackupOptions): Promise<number> {
  return orRefusal(async () => {
    const place = resolve(to);
    const folder = isFileName(place) ? `${place}.part` : place;
    if (folder !== place && existsSync(place)) throw new Refusal(`${place} exists. Name a new file.`);
    const store = await openMigrated(config);
    const progress = startProgress('Backup');
    try {
      const blobs = await chooseBlobs(config);
      await refuseStrangers(config, store, blobs);
      await makeEmptyFolder(folder);
      const deps = {
        clock: store.clock,
        files: createPorts(store).files,
        blobs,
        copies: dbOnly ? undefined : await chooseBlobs({ storage: undefined, dataDir: folder }),
        openSnapshot: () => openSnapshot(config, folder),
      };
      const made = await createBackup(deps, { folder, version: serviceVersion, progress: progress.report });
      if (folder !== place) {
        await packFolder(folder, place);
        await rm(folder, { recursive: true });
      }
      await store.call('recordAudit', {
        kind: 'backup.created',
        detail: { files: made.files.count, bytes: made.files.bytes, withFiles: made.files.areIncluded },
        now: store.clock.now(),
      });
      progress.end();
      print(json ? `${JSON.stringify({ place, ...made })}\n` : describe(place, made));
      return made.damaged.length === 0 ? 0 : 1;
    } finally {
      await store.close();
    }
  });
}

async function makeEmptyFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if ((await readdir(folder)).length > 0)
    throw new Refusal(`${folder} is not empty. Name a new folder, for example ${folder}/$(date +%F).`);
}

function describe(place: string, { rows, files, damaged }: MadeBackup): string {
  const content = files.areIncluded ? `${files.count} files (${formatBytes(files.bytes)})` : 'no files';
  const lines = [
    `${place}: ${rows.users ?? 0} users, ${content}`,
    ...damaged.map((id) => `NOT in the backup, because its bytes are missing or damaged: ${id}`),
  ];
  return `${lines.join('\n')}\n`;
}
