// Lists the blobs on disk in the order of their ids. It reads one folder at a time.
import type { Stats } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { ListedBlob } from '../../files/blob-store.ts';
import { isFileId } from '../../files/stored-file.ts';
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

/** Only a missing folder counts as empty. An unreadable one is an error, so that its blobs do not look lost. */
async function namesIn(path: string): Promise<string[]> {
  return readdir(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return [];
    throw toFailure(error);
  });
}

/** Undefined if the file was removed in the meantime, or if the path is not a file. */
async function statOf(path: string): Promise<Stats | undefined> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw toFailure(error);
  });
  return found?.isFile() === true ? found : undefined;
}
