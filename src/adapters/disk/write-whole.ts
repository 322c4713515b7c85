// Writes a file that is whole in memory to the disk, under a temporary name until it is durable.
import { close, constants, fdatasync, ftruncate, mkdir, open, rename, unlink, write } from 'node:fs';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import type { Slot } from '../../files/slots.ts';

/** With callbacks below: a promise of node:fs for each of the steps would cost half as much again. */
const call = {
  close: promisify(close),
  fdatasync: promisify(fdatasync),
  ftruncate: promisify(ftruncate),
  mkdir: promisify(mkdir),
  open: promisify(open),
  rename: promisify(rename),
  unlink: promisify(unlink),
  write: promisify(write),
};

const newFile = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL;
/** Direct writes need whole blocks. Every block of a disk is at most as large. */
const blockBytes = 4096;
/** Smaller files are likely to be read soon, and gain nothing. */
const directBytes = 256 * 1024;

/** How file systems answer that cannot write directly: some to the open, after they have made the file, others to the write. */
const refusals: readonly (string | undefined)[] = ['EINVAL', 'ENOTSUP'];

export type WriteWhole = (slot: Slot, size: number, temporary: string, path: string) => Promise<void>;

type OpenFile = (path: string, flags: number, mode: number) => Promise<number>;

/** Past the cache of the system, which costs three quarters less. Not every file system and not every system can. */
export function createWriteWhole(openFile: OpenFile = call.open): WriteWhole {
  let direct: number | undefined = constants.O_DIRECT;

  async function writeAs(flags: number, bytes: Buffer, size: number, temporary: string, path: string): Promise<void> {
    try {
      await fill(await openIn(openFile, temporary, flags), bytes, size);
      await call.rename(temporary, path);
    } catch (error) {
      await call.unlink(temporary).catch(() => undefined);
      throw error;
    }
  }

  return async (slot, size, temporary, path) => {
    if (direct !== undefined && size >= directBytes) {
      try {
        return await writeAs(newFile | direct, padded(slot, size), size, temporary, path);
      } catch (error) {
        if (!refusals.includes((error as NodeJS.ErrnoException).code)) throw error;
        direct = undefined;
      }
    }
    await writeAs(newFile, slot.bytes.subarray(0, size), size, temporary, path);
  };
}

/** Nothing of an earlier file goes to the disk. */
function padded({ bytes }: Slot, size: number): Buffer {
  const end = Math.ceil(size / blockBytes) * blockBytes;
  return bytes.fill(0, size, end).subarray(0, end);
}

/** Closes the file, whatever happens. */
async function fill(descriptor: number, bytes: Buffer, size: number): Promise<void> {
  try {
    for (let done = 0; done < bytes.length; )
      done += (await call.write(descriptor, bytes, done, bytes.length - done, done)).bytesWritten;
    if (size < bytes.length) await call.ftruncate(descriptor, size);
    await call.fdatasync(descriptor);
  } finally {
    await call.close(descriptor);
  }
}

/** The folder is made for the first file. */
async function openIn(openFile: OpenFile, path: string, flags: number): Promise<number> {
  try {
    return await openFile(path, flags, 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    await call.mkdir(dirname(path), { recursive: true, mode: 0o700 });
    return openFile(path, flags, 0o600);
  }
}
