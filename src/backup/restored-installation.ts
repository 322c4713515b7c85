// The installation that a restored database belongs to: the one whose storage is there, or a new one.
import type { BlobStore } from '../files/blob-store.ts';
import { newInstallationId } from '../files/installation.ts';
import { namedRow, readPages } from './backup-folder.ts';
import { BackupError, type Page, type Rows } from './snapshot.ts';

const table = 'installation';

/**
 * Beside the storage that it was taken from, the installation goes on; in a storage that nobody has claimed a new one begins, so that
 * a copy never passes for the one it was copied from. Undefined for a backup that knows of none: the next start decides.
 */
export async function chooseInstallation(blobs: BlobStore, folder: string): Promise<string | undefined> {
  const backup = await findInstallation(folder);
  if (backup === undefined) return undefined;
  const storage = await blobs.readMark();
  if (storage === undefined) return newInstallationId();
  if (storage === backup) return backup;
  throw new BackupError(
    `The storage belongs to the installation ${storage}, the backup to ${backup}. Set STORAGE_URL or DATA_DIR to an empty place, or to the storage of the backup.`,
  );
}

/** It stands before everything else. */
async function findInstallation(folder: string): Promise<string | undefined> {
  for await (const { shape, rows } of readPages(folder)) {
    const [row] = rows;
    return shape.table === table && row !== undefined ? namedRow<{ id: string }>(shape, row).id : undefined;
  }
  return undefined;
}

/** A row of the backup names the installation that it was taken from. */
export function joinAnew({ shape, rows }: Page, installation: string | undefined): Rows {
  if (shape.table !== table) return rows;
  const at = Object.keys(shape.columns).indexOf('id');
  return rows.map((row) => row.with(at, installation ?? null));
}
