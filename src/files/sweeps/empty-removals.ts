// Use case: empty the queue of bytes that must go. Every node runs it, at its start and then again and again.
import { repeatWhileFull, type Turn } from '../../kernel/work/pace.ts';
import type { FileDeps } from '../deps.ts';
import { isUploadId } from '../resumable/resumable-upload.ts';
import { bytesPace, removeTogether } from './remove-together.ts';

type Deps = Pick<FileDeps, 'blobs' | 'removals' | 'clock' | 'log'>;

export type EmptiedQueue = { readonly files: number; readonly uploads: number };

/**
 * Tells after each batch what it removed. Throws the first failure of the storage after all others of its batch were tried; what failed
 * is due again after a pause.
 */
export async function emptyRemovals(deps: Deps, turn: Turn, tell: (emptied: EmptiedQueue) => void): Promise<void> {
  const { removals, clock, log } = deps;
  await repeatWhileFull(bytesPace, turn, async (most) => {
    if (!(await removals.isDue(clock.now()))) return { isFull: false };
    const heldSince = clock.now();
    const ids = await removals.take({ now: heldSince, most });
    for (const id of ids) log.info('removing the bytes of what was deleted or never became a file', { id });
    const { removed, failures } = await removeTogether(deps, ids, heldSince);
    const uploads = removed.filter(isUploadId).length;
    tell({ files: removed.length - uploads, uploads });
    if (failures.length > 0) throw failures[0];
    // Ids that turn out to be in use are not taken, so a batch may be small although more are due.
    return { isFull: ids.length > 0 };
  });
}
