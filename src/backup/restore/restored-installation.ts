// Chooses the installation id of a restored database: the id in the storage, or a new id.
import type { BlobStore } from '../../files/storage/blob-store.ts';
import { foreignMark, newInstallationId } from '../../files/storage/installation.ts';
import { BackupError, type BackupSchema, type Page, type Rows } from '../snapshot.ts';
import { namedRow, readPages } from '../table-rows.ts';

const table = 'installation';

/**
 * With its original storage, the installation keeps its id. With an unclaimed storage it gets a new id, so that a copy is never
 * mistaken for the original. Undefined for a backup without an installation id: the next start decides.
 */
export async function chooseInstallation(
  blobs: BlobStore,
  folder: string,
  schema: BackupSchema,
): Promise<string | undefined> {
  const backup = await findInstallation(folder, schema);
  if (backup === undefined) return undefined;
  const storage = await blobs.readMark();
  if (storage === undefined) return newInstallationId();
  if (storage === backup) return backup;
  const owner = storage === foreignMark ? `has ${storage}` : `belongs to the installation ${storage}`;
  throw new BackupError(
    `The storage ${owner}, the backup to ${backup}. Set STORAGE_URL or DATA_DIR to an empty storage, or to the storage of the backup.`,
  );
}

/** The installation is the first table of a backup. */
async function findInstallation(folder: string, schema: BackupSchema): Promise<string | undefined> {
  for await (const { shape, rows } of readPages(folder, schema)) {
    const [row] = rows;
    return shape.table === table && row !== undefined ? namedRow<{ id: string }>(shape, row).id : undefined;
  }
  return undefined;
}

/** Replaces the installation id of the backup with the chosen one. */
export function replaceInstallation({ shape, rows }: Page, installation: string | undefined): Rows {
  if (shape.table !== table) return rows;
  const at = Object.keys(shape.columns).indexOf('id');
  return rows.map((row) => row.with(at, installation ?? null));
}
