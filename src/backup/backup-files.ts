// The files of a backup: named by the hash of their bytes, so that one that an earlier backup has is shared with it and not copied again.
import { link, mkdir, open, readdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { BlobStore } from '../files/blob-store.ts';
import { type BlobFacts, copyBlob } from '../files/copy-blob.ts';
import { type Manifest, readManifest } from './backup-folder.ts';
import { BackupError } from './snapshot.ts';

export type BackupFiles = {
  pathOf(facts: BlobFacts): string;
  /** To be read from and kept in under the id of the file, as any storage is. */
  viewOf(facts: BlobFacts): BlobStore;
};

function filesFolder(folder: string): string {
  return join(folder, 'files');
}

/** The blobs are those of `filesFolder`. Backups of the first format name files by their ids. */
export function openBackupFiles(
  folder: string,
  blobs: BlobStore,
  format: Manifest['format'] = 'gatehouse backup 2',
): BackupFiles {
  const nameOf = ({ id, sha256 }: BlobFacts) => (format === 'gatehouse backup 1' ? id : sha256);
  return {
    pathOf: (facts) => join(filesFolder(folder), blobs.internalPath?.(nameOf(facts)) ?? nameOf(facts)),
    viewOf: (facts) => ({
      ...blobs,
      read: (_, range, size) => blobs.read(nameOf(facts), range, size),
      keep: (spool, _, pieces) => blobs.keep(spool, nameOf(facts), pieces),
    }),
  };
}

/** An earlier backup to share files with. One that was not finished will do: a file is either whole there or not at all. */
export async function openBase(folder: string, blobs: BlobStore): Promise<BackupFiles> {
  const found = await stat(filesFolder(folder)).catch(() => undefined);
  if (found?.isDirectory() !== true)
    throw new BackupError(
      `${folder} is no folder of a backup with files. --since takes an earlier backup that has them.`,
    );
  const isFinished = (await stat(join(folder, 'manifest.json')).catch(() => undefined)) !== undefined;
  return openBackupFiles(folder, blobs, isFinished ? (await readManifest(folder)).format : undefined);
}

/** What a file system says that cannot share: another disk, no links at all, or too many of one file. */
const cannotShare = ['EXDEV', 'EPERM', 'EMLINK', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'];

/** False where the earlier backup does not have the file, or not in its full size. */
export async function shareFile(from: BackupFiles, to: BackupFiles, facts: BlobFacts): Promise<boolean> {
  const [source, target] = [from.pathOf(facts), to.pathOf(facts)];
  const found = await stat(source).catch(() => undefined);
  if (found?.size !== facts.size) return false;
  try {
    await link(source, target).catch(async (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
      await mkdir(dirname(target), { recursive: true, mode: 0o700 });
      await link(source, target);
    });
    return true;
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    // Two files with the same bytes are one here.
    if (code === 'EEXIST') return true;
    if (!cannotShare.includes(code)) throw error;
    return (await copyBlob(from.viewOf(facts), to.viewOf(facts), facts)) === 'copied';
  }
}

/** Links are durable when the folders are that hold them. */
export async function syncFolders(folder: string): Promise<void> {
  const root = filesFolder(folder);
  const names = await readdir(root).catch(() => []);
  for (const path of [...names.map((name) => join(root, name)), root, folder]) {
    const handle = await open(path, 'r').catch(() => undefined);
    await handle?.sync();
    await handle?.close();
  }
}

/** Whether both backups have the very same file on disk. */
export async function isShared(one: BackupFiles, other: BackupFiles, facts: BlobFacts): Promise<boolean> {
  const [mine, theirs] = await Promise.all(
    [one, other].map((files) => stat(files.pathOf(facts)).catch(() => undefined)),
  );
  return mine !== undefined && theirs !== undefined && mine.ino === theirs.ino && mine.dev === theirs.dev;
}
