// Use case: the owner deletes a file. It goes to the trash, or for good if there is no trash.

import { Failure } from '../../kernel/failure.ts';
import type { UserId } from '../../kernel/ids.ts';
import type { FileDeps } from '../deps.ts';
import { isFileId } from '../stored-file.ts';
import { removeBytes } from '../sweeps/remove-bytes.ts';

type Deps = Pick<FileDeps, 'files' | 'blobs' | 'removals' | 'clock' | 'trashSeconds'>;

export async function trashFile(deps: Deps, { userId, id }: { userId: UserId; id: string }): Promise<void> {
  const { clock, files, trashSeconds } = deps;
  if (!isFileId(id)) throw new Failure('FILE_NOT_FOUND');
  const now = clock.now();
  const hasTrash = trashSeconds > 0;
  const deletion = { userId, id, now, ...(hasTrash && { trashUntil: now + trashSeconds * 1000 }) };
  if (!(await files.deleteFile(deletion))) throw new Failure('FILE_NOT_FOUND');
  if (!hasTrash) await removeBytes(deps, [id], now);
}
