// Use case: delete one of a user's files, for themselves or by someone who acts for the house; its id never comes back.
import type { Act } from '../kernel/audit.ts';
import { Failure } from '../kernel/failure.ts';
import type { FileDeps } from './deps.ts';
import { isFileId } from './stored-file.ts';

type Deps = Pick<FileDeps, 'files' | 'blobs' | 'clock'>;

export async function deleteFile(
  { files, blobs, clock }: Deps,
  { userId, id, by }: { userId: string; id: string; by?: Act },
): Promise<void> {
  const isGone = isFileId(id) && (await files.deleteFile({ userId, id, now: clock.now(), ...(by && { by }) }));
  if (!isGone) throw new Failure('FILE_NOT_FOUND');
  // The record is gone, so the file is; bytes that stay behind are found by the sweeper.
  await blobs.remove(id).catch(() => undefined);
}
