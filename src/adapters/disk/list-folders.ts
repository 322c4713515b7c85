// Lists the blobs on disk in the order of their ids. It reads one folder at a time.

import type { Stats } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type ListedBlob, variantsFolder } from '../../files/storage/blob-store.ts';
import { isFileId } from '../../files/stored-file.ts';
import type { FileId } from '../../kernel/ids.ts';
import { toFailure } from './spool.ts';

const statsAtOnce = 32;

/** One of 4,096 folders, so each stays small. The name comes from the random part of the id. */
export function folderOf(id: string): string {
  return Buffer.from(id.slice(4, 8), 'base64url').toString('hex').slice(0, 3);
}

/** The inverse: the twelve bits are the first two characters after `fil_`. So sorting folders by this prefix sorts their ids. */
function beginningOf(folder: string): string {
  return `fil_${Buffer.from(`${folder}0`, 'hex').toString('base64url').slice(0, 2)}`;
}

export async function* listFolders(root: string, after: string): AsyncIterable<ListedBlob> {
  const variants = join(root, variantsFolder);
  const folders = [...new Set([...(await namesIn(root)), ...(await namesIn(variants))])]
    .filter((name) => /^[0-9a-f]{3}$/.test(name))
    .map((name) => ({ name, beginning: beginningOf(name) }))
    .filter(({ beginning }) => beginning >= after.slice(0, beginning.length))
    .sort((a, b) => (a.beginning < b.beginning ? -1 : 1));
  for (const { name, beginning } of folders) {
    // Variants first: a blob is there before its variants, and is removed after them.
    const withVariants = await namesIn(join(variants, name));
    const blobs = new Set(await namesIn(join(root, name)));
    const ids = [...blobs.union(new Set(withVariants))]
      .filter(isFileId)
      .filter((id) => id.startsWith(beginning) && id > after)
      .sort();
    const describe = (id: FileId) =>
      blobs.has(id) ? blobAt(join(root, name, id), id) : variantsAt(join(variants, name, id), id);
    for (let at = 0; at < ids.length; at += statsAtOnce) {
      const found = await Promise.all(ids.slice(at, at + statsAtOnce).map(describe));
      yield* found.filter((blob) => blob !== undefined);
    }
  }
}

async function blobAt(path: string, id: FileId): Promise<ListedBlob | undefined> {
  const found = await statOf(path);
  return found?.isFile() === true ? { id, size: found.size, modifiedAt: found.mtimeMs } : undefined;
}

/** The folder of variants without a blob. */
async function variantsAt(path: string, id: FileId): Promise<ListedBlob | undefined> {
  const found = await statOf(path);
  return found?.isDirectory() === true ? { id, size: 0, modifiedAt: found.mtimeMs } : undefined;
}

/** Only a missing folder counts as empty. An unreadable one is an error, so that its blobs do not look lost. */
async function namesIn(path: string): Promise<string[]> {
  return readdir(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return [];
    throw toFailure(error);
  });
}

/** Undefined if it was removed in the meantime. */
async function statOf(path: string): Promise<Stats | undefined> {
  return stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw toFailure(error);
  });
}
