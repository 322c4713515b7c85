// Use case: list the files that the caller can restore, newest deletion first, page by page.
import type { UserId } from '../../kernel/ids.ts';
import type { FileDeps } from '../deps.ts';
import { readPlace, writePlace } from '../list-place.ts';
import type { TrashedFile } from './trash.ts';

type Deps = Pick<FileDeps, 'trash' | 'clock'>;

type TrashPage = { readonly files: readonly TrashedFile[]; readonly next: string | null };

export async function listTrash(
  { trash, clock }: Deps,
  { userId, cursor, limit }: { userId: UserId; cursor: string | undefined; limit: number },
): Promise<TrashPage> {
  const place = cursor === undefined ? undefined : readPlace(cursor);
  const before = place && { deletedAt: place.at, id: place.id };
  const found = await trash.listTrash({ userId, before, most: limit + 1, now: clock.now() });
  const files = found.slice(0, limit);
  const last = files.at(-1);
  const hasMore = found.length > limit && last !== undefined;
  return { files, next: hasMore ? writePlace({ at: last.deletedAt, id: last.id }) : null };
}
