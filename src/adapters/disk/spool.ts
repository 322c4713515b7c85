// A spool: a temporary file that counts its bytes, and is deleted unless it is kept.
import { type FileHandle, mkdir, open, readdir, rename, rm, stat, statfs, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Spool } from '../../files/spool/spool.ts';
import { randomText } from '../../kernel/crypto/random.ts';
import { Failure } from '../../kernel/failure.ts';

export type DiskSpool = Spool & {
  /** When it resolves, the bytes survive a power cut. */
  sync(): Promise<void>;
  /** Gives the file its lasting name. A later discard only closes it. `place` does more than a rename. */
  moveTo(path: string, place?: (temporary: string) => Promise<void>): Promise<void>;
};

/** Keeps open handles referenced, because Node ends the process when it garbage-collects an open file handle. */
const openHandles = new Set<FileHandle>();

export async function openSpool(folder: string, freshness?: Freshness): Promise<DiskSpool> {
  const path = newSpoolPath(folder);
  const handle = await open(path, 'wx+', 0o600).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw toFailure(error);
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      return await open(path, 'wx+', 0o600);
    } catch (second) {
      throw toFailure(second as NodeJS.ErrnoException);
    }
  });
  return createSpool(path, handle, 0, freshness);
}

export function newSpoolPath(folder: string): string {
  return join(folder, randomText(16));
}

/** For work that takes longer than a spool without a write may be old: how often its time is renewed. */
type Freshness = { readonly everyMilliseconds: number };

/** The spool of an open file. It owns the handle and the path. */
export function createSpool(ofPath: string, ofHandle: FileHandle, ofSize: number, freshness?: Freshness): DiskSpool {
  let [path, handle, size] = [ofPath, ofHandle, ofSize];
  openHandles.add(handle);
  let [isOpen, isMoved] = [true, false];
  const stopRenewing = freshness === undefined ? () => undefined : keepFresh(() => handle, freshness);
  const close = async (itsHandle: FileHandle, itsPath: string) => {
    await itsHandle.close().catch(() => undefined);
    openHandles.delete(itsHandle);
    if (!isMoved) await unlink(itsPath).catch(() => undefined);
  };
  return {
    get path() {
      return path;
    },
    get size() {
      return size;
    },
    write: async (chunk) => {
      await writeAll(handle, chunk, size);
      size += chunk.length;
    },
    replace: async (otherPath, otherSize) => {
      const other = await open(otherPath, 'r+').catch((error) => Promise.reject(toFailure(error)));
      // The spool was discarded in the meantime, so close the new file here.
      if (!isOpen) {
        await other.close().catch(() => undefined);
        throw new Failure('STORAGE_UNAVAILABLE', { retryAfterSeconds: 5 });
      }
      openHandles.add(other);
      const [oldHandle, oldPath] = [handle, path];
      // Set these before the await: a concurrent discard must close the new file.
      [handle, path, size] = [other, otherPath, otherSize];
      await close(oldHandle, oldPath);
    },
    sync: () => handle.datasync(),
    moveTo: async (newPath, place = (temporary) => rename(temporary, newPath)) => {
      await place(path);
      isMoved = true;
    },
    get reader() {
      return { size, read: (position: number, length: number) => readAt(handle, position, length) };
    },
    discard: async () => {
      if (!isOpen) return;
      isOpen = false;
      stopRenewing();
      await close(handle, path);
    },
  };
}

/** Free bytes for this process on the file system of the folder, or of its parent if the folder does not exist yet. */
export async function freeBytesAt(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder).catch(() => statfs(dirname(folder)));
  return bavail * bsize;
}

function keepFresh(handle: () => FileHandle, { everyMilliseconds }: Freshness): () => void {
  const renew = () => {
    const now = new Date();
    handle()
      .utimes(now, now)
      .catch(() => undefined);
  };
  const timer = setInterval(renew, everyMilliseconds).unref();
  return () => clearInterval(timer);
}

/** Removes spools that were not written to since `olderThan`. Returns how many. */
export async function sweepFolder(folder: string, olderThan: number): Promise<number> {
  const names = await readdir(folder).catch(() => []);
  let count = 0;
  for (const name of names) {
    const path = join(folder, name);
    const found = await stat(path).catch(() => undefined);
    if (found === undefined || found.mtimeMs >= olderThan) continue;
    await rm(path, { force: true });
    count += 1;
  }
  return count;
}

export async function writeAll(handle: FileHandle, bytes: Buffer, position: number): Promise<void> {
  let done = 0;
  while (done < bytes.length) {
    try {
      const { bytesWritten } = await handle.write(bytes, done, bytes.length - done, position + done);
      done += bytesWritten;
    } catch (error) {
      throw toFailure(error as NodeJS.ErrnoException);
    }
  }
}

export async function readAt(handle: FileHandle, position: number, length: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(length);
  let done = 0;
  while (done < length) {
    const { bytesRead } = await handle
      .read(buffer, done, length - done, position + done)
      .catch((error: NodeJS.ErrnoException) => Promise.reject(toFailure(error)));
    if (bytesRead === 0) break;
    done += bytesRead;
  }
  return buffer.subarray(0, done);
}

/** A full disk and an exceeded disk quota are STORAGE_FULL. Every other error is STORAGE_UNAVAILABLE. */
export function toFailure(error: NodeJS.ErrnoException): Failure {
  const isFull = error.code === 'ENOSPC' || error.code === 'EDQUOT' || error.code === 'EFBIG';
  if (isFull) return new Failure('STORAGE_FULL', {}, error);
  return new Failure('STORAGE_UNAVAILABLE', { retryAfterSeconds: 5 }, error);
}
