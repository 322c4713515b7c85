// Writes a file that is whole in memory under a temporary name. It is not durable until its descriptor is synced.
import { closeSync, constants, ftruncateSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

const newFile = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL;
/** Direct writes need whole blocks. Every block of a disk is at most as large. */
const blockBytes = 4096;
/** Smaller files are likely to be read soon, and gain nothing. */
const directBytes = 256 * 1024;

/** How file systems answer that cannot write directly: some to the open, after they have made the file, others to the write. */
const refusals: readonly (string | undefined)[] = ['EINVAL', 'ENOTSUP'];

/** Writes the first `size` bytes of the segment. Returns the open descriptor, or leaves nothing behind and throws. */
export type WriteHeld = (segment: Buffer, size: number, path: string) => number;

type OpenFile = (path: string, flags: number, mode: number) => number;

/** Past the cache of the system, which costs three quarters less. Not every file system and not every system can. */
export function createWriteHeld(openFile: OpenFile = openSync): WriteHeld {
  let direct: number | undefined = constants.O_DIRECT;

  function writeAs(flags: number, bytes: Buffer, size: number, path: string): number {
    let descriptor: number | undefined;
    try {
      descriptor = openIn(openFile, path, flags);
      for (let done = 0; done < bytes.length; ) done += writeSync(descriptor, bytes, done, bytes.length - done, done);
      if (size < bytes.length) ftruncateSync(descriptor, size);
      return descriptor;
    } catch (error) {
      dropFile(descriptor, path);
      throw error;
    }
  }

  return (segment, size, path) => {
    if (direct !== undefined && size >= directBytes) {
      try {
        return writeAs(newFile | direct, padded(segment, size), size, path);
      } catch (error) {
        if (!refusals.includes((error as NodeJS.ErrnoException).code)) throw error;
        direct = undefined;
      }
    }
    return writeAs(newFile, segment.subarray(0, size), size, path);
  };
}

/** The folder is made for the first file. */
function openIn(openFile: OpenFile, path: string, flags: number): number {
  try {
    return openFile(path, flags, 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    return openFile(path, flags, 0o600);
  }
}

/** Closes it first: some file systems keep the bytes of an open file. */
function dropFile(descriptor: number | undefined, path: string): void {
  try {
    if (descriptor !== undefined) closeSync(descriptor);
  } finally {
    rmSync(path, { force: true });
  }
}

/** Nothing of an earlier file goes to the disk. */
function padded(segment: Buffer, size: number): Buffer {
  const end = Math.ceil(size / blockBytes) * blockBytes;
  return segment.fill(0, size, end).subarray(0, end);
}
