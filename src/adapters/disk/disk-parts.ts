// Parts of uploads on disk: uploads/<upload id>/<part id>, one growing file for each request. A flush syncs the file and its folders.
import { type FileHandle, link, mkdir, open, opendir, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import {
  isPartId,
  type ListedUpload,
  lostParts,
  newPartId,
  orderParts,
  type PartStore,
  type PartWriter,
  type UploadPartInfo,
  uploadsFolder,
} from '../../files/resumable/part-store.ts';
import { isUploadId } from '../../files/resumable/resumable-upload.ts';
import { Failure } from '../../kernel/failure.ts';
import { readMark } from './mark-file.ts';
import { createSpool, type DiskSpool, newSpoolPath, openSpool, toFailure, writeAll } from './spool.ts';
import { syncFolder } from './sync-folder.ts';

/** Far more often than spools are swept. */
const freshness = { everyMilliseconds: 60_000 };
const copyBytes = 1024 * 1024;
/** A request that did not know the length of the upload may write to its part even after a newer one ended the upload. */
const unboundedEnding = '-u';

/** `linkFile` makes a second name for a file. Not every file system can. */
export function createDiskParts(root: string, spools: string, linkFile = link): PartStore {
  const uploads = join(root, uploadsFolder);
  const folderFor = (uploadId: string) => {
    if (!isUploadId(uploadId)) throw new Error('not the id of an upload');
    return join(uploads, uploadId);
  };
  return {
    spooledBytes: 0,
    openWriter: (uploadId, firstByte, length) => createWriter(root, folderFor(uploadId), firstByte, length),
    assemble: (uploadId, parts) =>
      asFailure(assemble(folderFor(uploadId), { spools, linkFile }, parts).catch((error) => tellLoss(root, error))),
    remove: (uploadId) => asFailure(rm(folderFor(uploadId), { recursive: true, force: true, maxRetries: 2 })),
    list: () => listUploads(uploads),
  };
}

function createWriter(root: string, folder: string, firstByte: number, length: number | undefined): PartWriter {
  const id = `${newPartId()}${length === undefined ? unboundedEnding : ''}`;
  let handle: FileHandle | undefined;
  const path = join(folder, id);
  let [size, begun, durable, isClosed] = [0, 0, 0, false];
  const openPart = async () => {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const opened = await open(path, 'wx', 0o600);
    if (!isClosed) return opened;
    await opened.close();
    await rm(path, { force: true });
    throw new Error('the writer is closed');
  };
  return {
    get size() {
      return size;
    },
    write: async (chunk) => {
      if (length !== undefined && firstByte + size + chunk.length > length)
        throw new Error('more bytes than announced');
      handle ??= await asFailure(openPart());
      begun = size + chunk.length;
      await writeAll(handle, chunk, size);
      size += chunk.length;
    },
    flush: async () => {
      const bytes = size;
      if (handle === undefined || bytes === durable) return [];
      await asFailure(handle.datasync());
      // The part and its folders are new, and must survive a power cut too.
      if (durable === 0) for (const each of [folder, dirname(folder), root]) await asFailure(syncFolder(each));
      durable = bytes;
      return [{ id, firstByte, bytes }];
    },
    close: async (recorded) => {
      isClosed = true;
      if (handle === undefined) return;
      // A write that failed may have left bytes too.
      if (recorded === 0) await rm(path, { force: true }).catch(() => undefined);
      else if (recorded < begun) await handle.truncate(recorded).catch(() => undefined);
      await handle.close().catch(() => undefined);
    },
  };
}

/** A part that is not there is lost for good, unless its whole disk is away: then the mark of the storage is away too. */
async function tellLoss(root: string, error: unknown): Promise<never> {
  const isGone = error instanceof ShortPart || (error as NodeJS.ErrnoException).code === 'ENOENT';
  throw isGone && (await readMark(root)) !== undefined ? lostParts(error) : error;
}

class ShortPart extends Error {
  override readonly message = 'a part of an upload is shorter than its record';
}

type Spools = { readonly spools: string; readonly linkFile: typeof link };

async function assemble(folder: string, place: Spools, parts: readonly UploadPartInfo[]): Promise<DiskSpool> {
  const { spools } = place;
  const ordered = orderParts(parts);
  if (ordered === undefined) throw new Error('bytes are missing between two parts of an upload');
  await mkdir(spools, { recursive: true, mode: 0o700 });
  const [only, ...others] = ordered;
  const linked = only === undefined || others.length > 0 ? undefined : await linkPart(folder, place, only);
  if (linked !== undefined) return linked;
  const spool = await openSpool(spools, freshness);
  try {
    const buffer = Buffer.allocUnsafeSlow(copyBytes);
    for (const part of ordered) await copyPart(pathOf(folder, part), part.bytes, spool, buffer);
    return spool;
  } catch (error) {
    await spool.discard();
    throw error;
  }
}

/** Undefined if the bytes must be copied: the part may still grow, or the file system has no links. */
async function linkPart(
  folder: string,
  { spools, linkFile }: Spools,
  part: UploadPartInfo,
): Promise<DiskSpool | undefined> {
  if (part.id.endsWith(unboundedEnding)) return undefined;
  const path = newSpoolPath(spools);
  const handle = await open(pathOf(folder, part), 'r+');
  try {
    if ((await handle.stat()).size !== part.bytes) return await giveUp(handle);
    // Before the link, which is as old as the part: no sweep may see it as left behind.
    const now = new Date();
    await handle.utimes(now, now);
    await linkFile(pathOf(folder, part), path);
    return createSpool(path, handle, part.bytes, freshness);
  } catch {
    return giveUp(handle);
  }
}

function pathOf(folder: string, { id }: UploadPartInfo): string {
  if (!isPartId(id)) throw new Error('not the id of a part');
  return join(folder, id);
}

async function giveUp(handle: FileHandle): Promise<undefined> {
  await handle.close().catch(() => undefined);
}

/** A part may be longer than its record: a request was cut after its last step. */
async function copyPart(path: string, bytes: number, spool: DiskSpool, buffer: Buffer): Promise<void> {
  const handle = await open(path, 'r');
  try {
    for (let at = 0; at < bytes; ) {
      const { bytesRead } = await handle.read(buffer, 0, Math.min(buffer.length, bytes - at), at);
      if (bytesRead === 0) throw new ShortPart();
      await spool.write(buffer.subarray(0, bytesRead));
      at += bytesRead;
    }
  } finally {
    await handle.close().catch(() => undefined);
  }
}

async function* listUploads(uploads: string): AsyncIterable<ListedUpload> {
  const folder = await opendir(uploads).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw toFailure(error);
  });
  if (folder === undefined) return;
  for await (const { name } of folder) {
    if (!isUploadId(name)) continue;
    const found = await stat(join(uploads, name)).catch(() => undefined);
    if (found?.isDirectory() === true) yield { id: name, modifiedAt: found.mtimeMs };
  }
}

async function asFailure<T>(work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    throw error instanceof Failure ? error : toFailure(error as NodeJS.ErrnoException);
  });
}
