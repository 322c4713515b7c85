// The files of a backup, named by the hash of their bytes, so that backups can share a file instead of copying it again.
import { link, mkdir, open, readdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type BlobName, type BlobStore, isContentHash } from '../files/storage/blob-store.ts';
import { type BlobInfo, type BlobSource, type BlobTarget, copyBlob } from '../files/storage/copy-blob.ts';
import { filesFolder, ifThere, macPath, manifestPath } from './backup-folder.ts';
import { refuseBackup } from './finding.ts';
import { type Manifest, readManifest } from './manifest.ts';
import { BackupError } from './snapshot.ts';

export type BackupFiles = {
  pathOf(facts: BlobInfo): string;
  /** A store for one file, which is addressed by its id as in any storage. */
  viewOf(facts: BlobInfo): BlobSource & BlobTarget;
};

/** `blobs` must be the store in `filesFolder`. Backups of the first format name files by id. */
export function openBackupFiles(
  folder: string,
  blobs: BlobStore,
  format: Manifest['format'] = 'gatehouse backup 2',
): BackupFiles {
  const nameOf = ({ id, sha256 }: BlobInfo): BlobName => {
    if (format === 'gatehouse backup 1') return id;
    return isContentHash(sha256) ? sha256 : refuseBackup(`the file ${id} has no hash`);
  };
  return {
    pathOf: (facts) => join(filesFolder(folder), blobs.internalPath?.(nameOf(facts)) ?? nameOf(facts)),
    viewOf: (facts) => ({
      ...blobs,
      read: (_, range, size) => blobs.read(nameOf(facts), range, size),
      keep: (spool, _, pieces) => blobs.keep(spool, nameOf(facts), pieces),
    }),
  };
}

/** Opens an earlier backup to share files with. An unfinished backup is accepted, because each of its files is complete or absent. */
export async function openBase(folder: string, blobs: BlobStore): Promise<BackupFiles> {
  const found = await ifThere(filesFolder(folder), stat(filesFolder(folder)));
  if (found?.isDirectory() !== true)
    throw new BackupError(
      `${folder} is not the folder of a backup with files. --since takes an earlier backup that includes files.`,
    );
  const isFinished = (await ifThere(manifestPath(folder), stat(manifestPath(folder)))) !== undefined;
  return openBackupFiles(folder, blobs, isFinished ? (await readManifest(folder)).format : undefined);
}

/** The errors of a file system that cannot link the file: another disk, no links at all, or too many links to one file. */
const cannotShare = ['EXDEV', 'EPERM', 'EMLINK', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'];

/** Returns false if the earlier backup does not have the file, or has it with another size. */
export async function shareFile(from: BackupFiles, to: BackupFiles, facts: BlobInfo): Promise<boolean> {
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
    // Two files with the same bytes are one file in a backup.
    if (code === 'EEXIST') return true;
    if (!cannotShare.includes(code)) throw error;
    return (await copyBlob(from.viewOf(facts), to.viewOf(facts), facts)) === 'copied';
  }
}

/** Links are durable once their folders are synced. */
export async function syncFolders(folder: string): Promise<void> {
  const root = filesFolder(folder);
  const names = await readdir(root).catch(() => []);
  for (const path of [...names.map((name) => join(root, name)), root, folder]) {
    const handle = await open(path, 'r').catch(() => undefined);
    await handle?.sync();
    await handle?.close();
  }
}

/** True if both backups have the same file (inode) on disk. */
export async function isShared(one: BackupFiles, other: BackupFiles, facts: BlobInfo): Promise<boolean> {
  const [mine, theirs] = await Promise.all(
    [one, other].map((files) => stat(files.pathOf(facts)).catch(() => undefined)),
  );
  return mine !== undefined && theirs !== undefined && mine.ino === theirs.ino && mine.dev === theirs.dev;
}

/** Whether the backup has a MAC. It is not checked. */
export async function isSigned(folder: string): Promise<boolean> {
  return (await ifThere(macPath(folder), stat(macPath(folder)))) !== undefined;
}
