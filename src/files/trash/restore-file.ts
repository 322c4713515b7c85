// Use case: the owner takes a file back from the trash. Its links and readers work again.

import { Failure } from '../../kernel/failure.ts';
import type { UserId } from '../../kernel/ids.ts';
import type { FileDeps } from '../deps.ts';
import { ownerFailure } from '../owner-state.ts';
import { isFileId, type StoredFile } from '../stored-file.ts';

type Deps = Pick<FileDeps, 'trash' | 'clock'>;

export async function restoreFile(
  { trash, clock }: Deps,
  { userId, id }: { userId: UserId; id: string },
): Promise<StoredFile> {
  const file = isFileId(id) ? await trash.restoreFile({ userId, id, now: clock.now() }) : undefined;
  if (file === 'gone' || file === 'blocked') throw ownerFailure(file);
  if (file === undefined) throw new Failure('FILE_NOT_FOUND');
  return file;
}
