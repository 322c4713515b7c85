// Blobs on disk. A blob is written to a spool, synced and renamed, and its folder is synced, before `keep` resolves.
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { type BlobName, type BlobRange, type BlobStore, isContentHash } from '../../files/storage/blob-store.ts';
import { isFileId } from '../../files/stored-file.ts';
import { Failure } from '../../kernel/failure.ts';
import { createDiskParts } from './disk-parts.ts';
import { folderOf, listFolders } from './list-folders.ts';
import { readMark, writeMark } from './mark-file.ts';
import { type PlaceFile, placeFile } from './place-file.ts';
import { pumpRange } from './pump-range.ts';
import { type DiskSpool, newSpoolPath, openSpool, readAt, sweepFolder, toFailure } from './spool.ts';
import { createVariantFolders } from './variant-folders.ts';

const pieceBytes = 256 * 1024;

export function createDiskBlobs(root: string, place: PlaceFile = placeFile): BlobStore {
  const spools = join(root, 'spool');
  const variants = createVariantFolders(root, spools);
  const pathOf = (id: BlobName) => join(root, placeOf(id));
  return {
    kind: 'disk',
    parts: createDiskParts(root, spools),
    spool: () => openSpool(spools),
    keep: async (spool, id) => {
      try {
        const { held, size } = spool;
        if (held === undefined) await moveDurably(spool as DiskSpool, pathOf(id), place);
        else
          await held.lend(({ at }) => place({ held: { at, size }, temporary: newSpoolPath(spools), path: pathOf(id) }));
      } catch (error) {
        throw error instanceof Failure ? error : toFailure(error as NodeJS.ErrnoException);
      }
    },
    read: (id, range, size) => readRange(pathOf(id), range, size),
    pump: async (id, range, size) => pumpRange(await openWhole(pathOf(id), size), range),
    openLocally: async (id, size) => {
      await (await openWhole(pathOf(id), size)).close();
      return { path: pathOf(id), release: async () => undefined };
    },
    readVariant: variants.read,
    keepVariant: variants.keep,
    remove: async (id) => {
      await variants.removeAll(id);
      await unlink(pathOf(id)).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOENT') throw toFailure(error);
      });
    },
    list: ({ after = '' } = {}) => listFolders(root, after),
    readMark: () => readMark(root),
    writeMark: (installation) => writeMark(root, installation),
    internalPath: placeOf,
    sweepSpools: (olderThan) => sweepFolder(spools, olderThan),
    ping: async () => {
      const spool = await openSpool(spools);
      await spool.discard();
    },
  };
}

/** The types let no other name in. This is the last look at it before it becomes a path. */
function placeOf(id: BlobName): string {
  if (!isFileId(id) && !isContentHash(id)) throw new Error('not the name of a blob');
  return `${folderOf(id)}/${id}`;
}

/** The sync of a large file takes long, so it does not hold up the files of others in the thread. */
async function moveDurably(spool: DiskSpool, path: string, place: PlaceFile): Promise<void> {
  await spool.sync();
  await spool.moveTo(path, (temporary) => place({ held: undefined, temporary, path }));
}

/** Throws before the first byte if the blob is missing or does not have the recorded size. A client never gets a short file. */
async function openWhole(path: string, size: number): Promise<FileHandle> {
  const handle = await open(path, 'r').catch((error: NodeJS.ErrnoException) => Promise.reject(toFailure(error)));
  const found = await handle.stat().catch(() => undefined);
  if (found?.size === size) return handle;
  await handle.close().catch(() => undefined);
  const cause = new Error('a blob does not have the recorded size');
  throw new Failure('STORAGE_UNAVAILABLE', { retryAfterSeconds: 5 }, cause);
}

async function readRange(path: string, { start, end }: BlobRange, size: number): Promise<Readable> {
  const handle = await openWhole(path, size);
  const length = end - start + 1;
  if (length > pieceBytes) return handle.createReadStream({ start, end, highWaterMark: pieceBytes, autoClose: true });
  const bytes = await readAt(handle, start, length).finally(() => handle.close());
  return Readable.from([bytes], { objectMode: false });
}
