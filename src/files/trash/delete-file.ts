// Use case: delete a file of a user for good, by staff, an operator or the back end. Its id is never used again.

import type { Act, BackendAct } from '../../kernel/audit.ts';
import { Failure } from '../../kernel/failure.ts';
import type { FileId, UserId } from '../../kernel/ids.ts';
import type { FileDeps } from '../deps.ts';
import { isFileId } from '../stored-file.ts';
import { removeBytes } from '../sweeps/remove-bytes.ts';

type Deps = Pick<FileDeps, 'files' | 'blobs' | 'removals' | 'clock'>;

/** The back end may delete a file of any user, so it names none. */
type DeleteFile =
  | { readonly userId: UserId; readonly id: string; readonly by: Act }
  | { readonly id: string; readonly by: BackendAct };

/** Also if its owner has moved it to the trash. */
export async function deleteFile(deps: Deps, input: DeleteFile): Promise<void> {
  const { id, by } = input;
  if (!isFileId(id)) throw new Failure('FILE_NOT_FOUND');
  const now = deps.clock.now();
  const userId = 'userId' in input ? input.userId : await ownerOf(deps, id);
  const isDeleted = userId !== undefined && (await deps.files.deleteFile({ userId, id, now, by }));
  if (!isDeleted) throw new Failure('FILE_NOT_FOUND');
  // Without its record, the file no longer exists for any client.
  await removeBytes(deps, [id], now);
}

/** A file never changes its owner, so what was read here still holds in the commit. */
async function ownerOf({ files }: Deps, id: FileId): Promise<UserId | undefined> {
  return (await files.findRecord(id))?.userId;
}
