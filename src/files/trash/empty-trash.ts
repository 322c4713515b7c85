// Use case: the owner removes everything in the trash for good, a batch at a time.
import type { UserId } from '../../kernel/ids.ts';
import type { FileDeps } from '../deps.ts';
import { removeBytes } from '../sweeps/remove-bytes.ts';

type Deps = Pick<FileDeps, 'trash' | 'blobs' | 'removals' | 'clock'>;

const filesPerBatch = 200;

/** What is deleted while this runs stays in the trash, so it ends. If it takes long, workers remove the bytes. */
export async function emptyTrash(deps: Deps, userId: UserId): Promise<void> {
  const now = deps.clock.now();
  for (;;) {
    const ids = await deps.trash.emptyTrash({ userId, now, most: filesPerBatch });
    await removeBytes(deps, ids, now);
    if (ids.length < filesPerBatch) return;
  }
}
