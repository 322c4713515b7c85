// The files of a restore: checked before anything is written, then copied into the storage.
import type { BlobStore } from '../../files/storage/blob-store.ts';
import { copyBlob, isBlobSound } from '../../files/storage/copy-blob.ts';
import { inParallel } from '../../kernel/work/in-parallel.ts';
import type { BackupFiles } from '../backup-files.ts';
import { refuseBackup } from '../finding.ts';
import { BackupError } from '../snapshot.ts';
import type { FileRow } from '../table-rows.ts';
import type { StoredBlobs } from './kept-files.ts';

export type FileTarget = { readonly blobs: BlobStore; readonly copies: BackupFiles };

/** Every file that is restored must be sound in the backup, unless an interrupted restore has already stored it. */
export async function checkFiles(
  { blobs, copies }: FileTarget,
  files: AsyncIterable<FileRow>,
  stock: StoredBlobs,
  tell: (bytes: number) => void,
): Promise<void> {
  await inParallel(files, 4, async (file) => {
    const isSound = (await isBlobSound(copies.viewOf(file), file)) || (await isStored(blobs, file, stock));
    if (!isSound) refuseBackup(`the file ${file.id} is missing or damaged. Use another backup`);
    tell(file.size);
  });
}

async function isStored(blobs: BlobStore, file: FileRow, stock: StoredBlobs): Promise<boolean> {
  return stock.get(file.id) === file.size && (await isBlobSound(blobs, file));
}

export async function copyFiles(
  { blobs, copies }: FileTarget,
  files: AsyncIterable<FileRow>,
  stock: StoredBlobs,
  tell: (bytes: number) => void,
): Promise<void> {
  await inParallel(files, 4, async (file) => {
    if (!(await isStored(blobs, file, stock)) && (await copyBlob(copies.viewOf(file), blobs, file)) !== 'copied')
      throw new BackupError(`The file ${file.id} of the backup is missing or damaged. Use another backup.`);
    tell(file.size);
  });
}
