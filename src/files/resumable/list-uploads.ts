// Use case: list the uploads in several requests that the caller can go on with or cancel, newest first, page by page.
import type { UserId } from '../../kernel/ids.ts';
import type { FileDeps } from '../deps.ts';
import { readPlace, writePlace } from '../list-place.ts';
import { isUploadId, type ResumableUpload } from './resumable-upload.ts';

type Deps = Pick<FileDeps, 'resumables' | 'clock'>;

type UploadsPage = { readonly uploads: readonly ResumableUpload[]; readonly next: string | null };

export async function listUploads(
  { resumables, clock }: Deps,
  { userId, cursor, limit }: { userId: UserId; cursor: string | undefined; limit: number },
): Promise<UploadsPage> {
  const place = cursor === undefined ? undefined : readPlace(cursor, isUploadId);
  const before = place && { createdAt: place.at, id: place.id };
  const found = await resumables.listOpen({ userId, before, most: limit + 1, now: clock.now() });
  const uploads = found.slice(0, limit);
  const last = uploads.at(-1);
  const hasMore = found.length > limit && last !== undefined;
  return { uploads, next: hasMore ? writePlace({ at: last.createdAt, id: last.id }) : null };
}
