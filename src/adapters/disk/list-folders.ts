// Lists the blobs of a disk by id: folder after folder in the order of the ids they hold, the names of one folder at a time.
import type { Stats } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { ListedBlob } from '../../files/blob-store.ts';
import { isFileId } from '../../files/stored-file.ts';
import { toFailure } from './spool.ts';

const statsAtOnce = 32;

/** 4,096 folders keep each of them small; taken from the random part of the id. */
export function folderOf(id: string): string {
  return Buffer.from(id.slice(4, 8), 'base64url').toString('hex').slice(0, 3);
}

/** The inverse: twelve bits are the first two characters behind `fil_`, so folders in this order hold ids in theirs. */
function beginningOf(folder: string): string {
  return `fil_${Buffer.from(`${folder}0`, 'hex').toString('base64url').slice(0, 2)}`;
}

export async function* listFolders(root: string, after: string): AsyncIterable<ListedBlob> {
  const folders = (await namesIn(root))
    .filter((name) => /^[0-9a-f]{3}$/.test(name))
    .map((name) => ({ name, beginning: beginningOf(name) }))
    .filter(({ beginning }) => beginning >= after.slice(0, beginning.length))
    .sort((a, b) => (a.beginning < b.beginning ? -1 : 1));
  for (const { name, beginning } of folders) {
    const path = join(root, name);
    const ids = (await namesIn(path)).filter((id) => isFileId(id) && id.startsWith(beginning) && id > after).sort();
    for (let at = 0; at < ids.length; at += statsAtOnce) {
      const some = ids.slice(at, at + statsAtOnce);
      const found = await Promise.all(some.map((id) => statOf(join(path, id))));
      for (const [index, id] of some.entries()) {
        const { size, mtimeMs } = found[index] ?? {};
        if (size !== undefined && mtimeMs !== undefined) yield { id, size, modifiedAt: mtimeMs };
      }
    }
  }
}

/** What cannot be read must not look empty: only what is not there has nothing in it. */
async function namesIn(path: string): Promise<string[]> {
  return readdir(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return [];
    throw toFailure(error);
  });
}

/** Undefined for one that was removed meanwhile, and for what is no file. */
async function statOf(path: string): Promise<Stats | undefined> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw toFailure(error);
  });
  return found?.isFile() === true ? found : undefined;
}
