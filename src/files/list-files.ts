// Use case: list the caller's files, newest first, page by page.
import { Failure } from '../kernel/failure.ts';
import type { FileDeps } from './deps.ts';
import { isFileId, type ListPlace, type StoredFile } from './stored-file.ts';

type Deps = Pick<FileDeps, 'files'>;

export type FilePage = { readonly files: readonly StoredFile[]; readonly next: string | null };

export async function listFiles(
  { files }: Deps,
  input: { userId: string; cursor: string | undefined; limit: number },
): Promise<FilePage> {
  const before = input.cursor === undefined ? undefined : readCursor(input.cursor);
  const found = await files.listFiles({ userId: input.userId, before, most: input.limit + 1 });
  const page = found.slice(0, input.limit);
  const last = page.at(-1);
  return { files: page, next: found.length > input.limit && last !== undefined ? writeCursor(last) : null };
}

function writeCursor({ createdAt, id }: ListPlace): string {
  return Buffer.from(`${createdAt} ${id}`).toString('base64url');
}

function readCursor(text: string): ListPlace {
  const [createdAt = '', id = ''] = Buffer.from(text, 'base64url').toString().split(' ');
  if (!/^\d{1,15}$/.test(createdAt) || !isFileId(id)) throw new Failure('REQUEST_INVALID', { field: 'cursor' });
  return { createdAt: Number(createdAt), id };
}
