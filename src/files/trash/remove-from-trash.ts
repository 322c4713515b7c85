// Use case: the owner removes one file from the trash for good.

import { Failure } from '../../kernel/failure.ts';
import type { UserId } from '../../kernel/ids.ts';
import type { FileDeps } from '../deps.ts';
import { isFileId } from '../stored-file.ts';
import { removeBytes } from '../sweeps/remove-bytes.ts';

type Deps = Pick<FileDeps, 'trash' | 'blobs' | 'removals' | 'clock'>;

export async function removeFromTrash(deps: Deps, { userId, id }: { userId: UserId; id: string }): Promise<void> {
  const now = deps.clock.now();
  const isRemoved = isFileId(id) && (await deps.trash.removeFromTrash({ userId, id, now }));
  if (!isRemoved) throw new Failure('FILE_NOT_FOUND');
  await removeBytes(deps, [id], now);
}
