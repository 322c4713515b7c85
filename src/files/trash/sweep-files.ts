// Use case: remove the files whose time in the trash is over, or that their purpose keeps no longer. Every node runs it.
import { repeatWhileFull, type Turn } from '../../kernel/work/pace.ts';
import type { FileDeps } from '../deps.ts';
import { bytesPace, removeTogether } from '../sweeps/remove-together.ts';

type Deps = Pick<FileDeps, 'trash' | 'blobs' | 'removals' | 'clock'>;

/**
 * Tells after each batch how many files it removed. If another node removes the same files, this one gets none and leaves the rest to
 * it. Bytes that cannot be removed stay in the queue.
 */
export async function sweepFiles(deps: Deps, turn: Turn, tell: (count: number) => void): Promise<void> {
  await repeatWhileFull(bytesPace, turn, async (most) => {
    const now = deps.clock.now();
    const ids = await deps.trash.sweepFiles({ now, most });
    if (ids.length > 0) tell(ids.length);
    await removeTogether(deps, ids, now);
    return { isFull: ids.length >= most };
  });
}
