// Use case: list the users whom the caller named as readers of a file.

import { Failure } from '../../kernel/failure.ts';
import type { UserId } from '../../kernel/ids.ts';
import type { FileDeps } from '../deps.ts';
import { isFileId } from '../stored-file.ts';

type Deps = Pick<FileDeps, 'sharing' | 'clock'>;

export async function listReaders(
  { sharing, clock }: Deps,
  { userId, fileId }: { readonly userId: UserId; readonly fileId: string },
): Promise<readonly UserId[]> {
  const readers = isFileId(fileId) ? await sharing.listReaders({ userId, fileId, now: clock.now() }) : undefined;
  if (readers === undefined) throw new Failure('FILE_NOT_FOUND');
  return readers;
}
