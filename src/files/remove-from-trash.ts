// Use case: the owner removes one file from the trash for good.
import { Failure } from '../kernel/failure.ts';
import type { FileDeps } from './deps.ts';
import { removeBlobs } from './remove-blobs.ts';
import { isFileId } from './stored-file.ts';

type Deps = Pick<FileDeps, 'trash' | 'blobs' | 'sweeps' | 'clock'>;

export async function removeFromTrash(deps: Deps, { userId, id }: { userId: string; id: string }): Promise<void> {
  const isRemoved = isFileId(id) && (await deps.trash.removeFromTrash({ userId, id, now: deps.clock.now() }));
  if (!isRemoved) throw new Failure('FILE_NOT_FOUND');
  await removeBlobs(deps, [id]);
}
