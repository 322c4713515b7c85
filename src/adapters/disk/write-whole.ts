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

export type WriteWhole = (slot: Slot, size: number, temporary: string, path: string) => Promise<void>;

/** Past the cache of the system, which costs three quarters less. Not every file system and not every system can. */
export function createWriteWhole(direct: number | undefined = constants.O_DIRECT): WriteWhole {
  let canWriteDirectly = direct !== undefined;
  return async (slot, size, temporary, path) => {
    if (canWriteDirectly && direct !== undefined && size >= directBytes) {
      try {
        return await writeAs(newFile | direct, padded(slot, size), size, temporary, path);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EINVAL') throw error;
        canWriteDirectly = false;
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

async function writeAs(flags: number, bytes: Buffer, size: number, temporary: string, path: string): Promise<void> {
  const descriptor = await openIn(temporary, flags);
  try {
    try {
      for (let done = 0; done < bytes.length; )
        done += (await call.write(descriptor, bytes, done, bytes.length - done, done)).bytesWritten;
      if (size < bytes.length) await call.ftruncate(descriptor, size);
      await call.fdatasync(descriptor);
    } finally {
      await call.close(descriptor);
    }
    await call.rename(temporary, path);
  } catch (error) {
    await call.unlink(temporary).catch(() => undefined);
    throw error;
  }
}

/** The folder is made for the first file. */
async function openIn(path: string, flags: number): Promise<number> {
  try {
    return await call.open(path, flags, 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    await call.mkdir(dirname(path), { recursive: true, mode: 0o700 });
    return call.open(path, flags, 0o600);
  }
}
