// Use case: remove the files whose time in the trash is over, or that their purpose keeps no longer. Every node runs it.
import type { FileDeps } from './deps.ts';
import { removeBytes } from './remove-bytes.ts';

type Deps = Pick<FileDeps, 'trash' | 'blobs' | 'removals' | 'clock'>;

/** Shutdown waits for the current round, so a round is short. */
const filesPerBatch = 100;
const batchesPerRound = 10;

/** Returns how many files it removed. If another node removes the same files, this one gets none and leaves the rest to it. */
export async function sweepFiles(deps: Deps): Promise<number> {
  let removed = 0;
  for (let batch = 0; batch < batchesPerRound; batch++) {
    const now = deps.clock.now();
    const ids = await deps.trash.sweepFiles({ now, most: filesPerBatch });
    await removeBytes(deps, ids, now);
    removed += ids.length;
    if (ids.length < filesPerBatch) break;
  }
  return removed;
}
