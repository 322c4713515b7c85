// Variants on disk: variants/<folder>/<file id>/<name>. They are apart from the blobs, so an operator can leave them out of a copy.
import { mkdir, readFile, rm, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { variantsFolder } from '../../files/storage/blob-store.ts';
import { isFileId } from '../../files/stored-file.ts';
import { isStoredName } from '../../files/variants/variant.ts';
import { Failure } from '../../kernel/failure.ts';
import { folderOf } from './list-folders.ts';
import { openSpool, toFailure } from './spool.ts';

/** Variants can be made again, and are in no quota. So they leave the last of the disk to the files and the database. */
const leftFreeBytes = 2 ** 30;
const leftFreePart = 1 / 20;

type Space = { readonly freeBytes: number; readonly totalBytes: number };

export function createVariantFolders(root: string, spools: string, spaceAt = measureSpace) {
  const folderFor = (id: string) => join(root, variantsFolder, folderOf(id), id);
  const pathOf = (id: string, name: string) => {
    if (!isFileId(id) || !isStoredName(name)) throw new Error('not the name of a variant');
    return join(folderFor(id), name);
  };
  return {
    read: (id: string, name: string): Promise<Buffer | undefined> =>
      readFile(pathOf(id, name)).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return undefined;
        throw toFailure(error);
      }),
    /** Synced before the rename: after a power cut there is the whole variant or none. Keeps nothing on a disk that is almost full. */
    keep: async (id: string, name: string, bytes: Buffer): Promise<void> => {
      const path = pathOf(id, name);
      const { freeBytes, totalBytes } = await spaceAt(root);
      if (freeBytes - bytes.length < Math.min(leftFreeBytes, totalBytes * leftFreePart)) return;
      const spool = await openSpool(spools);
      try {
        await spool.write(bytes);
        await spool.sync();
        await mkdir(dirname(path), { recursive: true, mode: 0o700 });
        await spool.moveTo(path);
      } catch (error) {
        throw error instanceof Failure ? error : toFailure(error as NodeJS.ErrnoException);
      } finally {
        await spool.discard();
      }
    },
    removeAll: async (id: string): Promise<void> => {
      // Anything else would name a folder of others.
      if (!isFileId(id)) return;
      await rm(folderFor(id), { recursive: true, force: true, maxRetries: 2 }).catch((error: NodeJS.ErrnoException) => {
        throw toFailure(error);
      });
    },
  };
}

/** A disk that does not report its size counts as one with room: the write decides. */
async function measureSpace(folder: string): Promise<Space> {
  const { bavail, blocks, bsize } = await statfs(folder).catch(() => ({ bavail: 1, blocks: 0, bsize: 2 ** 40 }));
  return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
}
