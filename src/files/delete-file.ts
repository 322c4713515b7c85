// Use case: delete one of a user's files, for themselves or by someone who acts for the house; its id never comes back.
import type { Act } from '../kernel/audit.ts';
import { Failure } from '../kernel/failure.ts';
import type { FileDeps } from './deps.ts';
import { removeBlobs } from './remove-blobs.ts';
import { isFileId } from './stored-file.ts';

type Deps = Pick<FileDeps, 'files' | 'blobs' | 'sweeps' | 'clock'>;

export async function deleteFile(
  deps: Deps,
  { userId, id, by }: { userId: string; id: string; by?: Act },
): Promise<void> {
  const now = deps.clock.now();
  const isGone = isFileId(id) && (await deps.files.deleteFile({ userId, id, now, ...(by && { by }) }));
  if (!isGone) throw new Failure('FILE_NOT_FOUND');
  // The record is gone, so the file is.
  await removeBlobs(deps, [id]);
}
