// Which file records a restore keeps: files whose bytes are in the backup or in the storage, and that were not deleted since.
import type { BlobStore } from '../../files/storage/blob-store.ts';
import { openFileList, readFileList } from '../file-list.ts';
import type { Journal } from '../journal/journal.ts';
import type { Manifest } from '../manifest.ts';
import { BackupError, type BackupSchema } from '../snapshot.ts';
import { type FileRow, fileOf, readPages } from '../table-rows.ts';

/** Must be called in the order of ids, which is the order of the records in a backup. */
export type IsKept = (file: FileRow) => boolean | Promise<boolean>;

/** The sizes of the blobs in the storage by id. Takes about a hundred bytes of memory per blob. */
export type StoredBlobs = ReadonlyMap<string, number>;

/** Each call starts a new pass, so that the records can be read more than once. */
type Choice = () => IsKept;

export async function chooseFiles(
  folder: string,
  manifest: Manifest,
  journal: Journal,
  stock: StoredBlobs,
): Promise<Choice> {
  const openList = await openFileList(folder, manifest);
  return () => {
    const findListed = openList();
    return async ({ id, size, user_id: userId }) => {
      if ((await findListed(id)) === undefined || journal.deleted.has(id) || journal.deleted.has(userId)) return false;
      // In a backup without blobs, a file whose blob is missing in the storage was deleted since.
      return manifest.files.areIncluded || stock.get(id) === size;
    };
  };
}

export async function* keptFiles(folder: string, schema: BackupSchema, choose: Choice): AsyncIterable<FileRow> {
  const isKept = choose();
  for await (const { shape, rows } of readPages(folder, schema)) {
    if (shape.table !== 'files') continue;
    for (const row of rows) {
      const file = fileOf(shape, row);
      if (await isKept(file)) yield file;
    }
  }
}

/** Lists the blobs in the storage. A backup with files needs a storage that is empty or partly filled by the same restore. */
export async function listStoredBlobs(blobs: BlobStore, folder: string, { files }: Manifest): Promise<StoredBlobs> {
  const present = new Map<string, number>();
  for await (const { id, size } of blobs.list()) {
    if (files.areIncluded && present.size === files.count) throw notEmpty();
    present.set(id, size);
  }
  if (present.size === 0 && (files.areIncluded || files.count === 0)) return present;
  let known = 0;
  for await (const { id } of readFileList(folder)) if (present.has(id)) known += 1;
  if (files.areIncluded && known < present.size) throw notEmpty();
  if (!files.areIncluded && files.count > 0 && known === 0)
    throw new BackupError(
      'The backup does not include files, and the storage has none of the files that it names. Set STORAGE_URL or DATA_DIR to the storage with the files.',
    );
  return present;
}

function notEmpty(): BackupError {
  return new BackupError(
    'The storage is not empty. Set DATA_DIR to an empty folder or STORAGE_URL to an empty bucket.',
  );
}
