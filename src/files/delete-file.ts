// Use case: delete a file of a user, by the user, staff or an operator. Its id is never used again.
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
  const isDeleted = isFileId(id) && (await deps.files.deleteFile({ userId, id, now, ...(by && { by }) }));
  if (!isDeleted) throw new Failure('FILE_NOT_FOUND');
  // Without its record, the file no longer exists for any client.
  await removeBlobs(deps, [id]);
}
