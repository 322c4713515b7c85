// Use case: list the caller's files, newest first, page by page.
import type { UserId } from '../kernel/ids.ts';
import type { FileDeps } from './deps.ts';
import { readPlace, writePlace } from './list-place.ts';
import type { StoredFile } from './stored-file.ts';

type Deps = Pick<FileDeps, 'files' | 'clock'>;

export type FilePage = { readonly files: readonly StoredFile[]; readonly next: string | null };

export async function listFiles(
  { files, clock }: Deps,
  { userId, cursor, limit }: { userId: UserId; cursor: string | undefined; limit: number },
): Promise<FilePage> {
  const place = cursor === undefined ? undefined : readPlace(cursor);
  const before = place && { createdAt: place.at, id: place.id };
  const found = await files.listFiles({ userId, before, most: limit + 1, now: clock.now() });
  const page = found.slice(0, limit);
  const last = page.at(-1);
  const hasMore = found.length > limit && last !== undefined;
  return { files: page, next: hasMore ? writePlace({ at: last.createdAt, id: last.id }) : null };
}
