// The mark of a storage on disk: a small file next to the blob folders, replaced atomically.
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { markName } from '../../files/storage/blob-store.ts';
import { parseMark } from '../../files/storage/installation.ts';
import { randomText } from '../../kernel/crypto/random.ts';
import { toFailure } from './spool.ts';
import { syncFolder } from './sync-folder.ts';

/** More than an id has. The rest of a longer file is not read. */
const longestMark = 1024;

export async function readMark(root: string): Promise<string | undefined> {
  try {
    const handle = await open(join(root, markName), 'r');
    try {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(longestMark), 0, longestMark, 0);
      return parseMark(buffer.toString('utf8', 0, bytesRead));
    } finally {
      await handle.close();
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw toFailure(error as NodeJS.ErrnoException);
  }
}

export async function writeMark(root: string, installation: string | undefined): Promise<void> {
  const path = join(root, markName);
  try {
    await mkdir(root, { recursive: true, mode: 0o700 });
    if (installation === undefined) await rm(path, { force: true });
    else await replace(path, `${installation}\n`);
    await syncFolder(root);
  } catch (error) {
    throw toFailure(error as NodeJS.ErrnoException);
  }
}

/** Several nodes may write it at once, so each one writes a temporary file with a random name. */
async function replace(path: string, text: string): Promise<void> {
  const temporary = `${path}.${randomText(6)}`;
  const handle = await open(temporary, 'wx', 0o600);
  try {
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined);
    throw error;
  }
}
