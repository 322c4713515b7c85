// Use case: remove the bytes of many deleted files and uploads, a few at a time. What fails stays in the queue.

import { inParallel } from '../../kernel/work/in-parallel.ts';
import type { Pace } from '../../kernel/work/pace.ts';
import type { FileDeps } from '../deps.ts';
import type { RemovalId } from './removal-queue.ts';
import { removeFrom } from './remove-bytes.ts';

type Deps = Pick<FileDeps, 'blobs' | 'removals' | 'clock'>;

/** Half of the time of a process: the storage waits more than it works. Shutdown waits for a piece, so a piece is short. */
export const bytesPace: Pace = { share: 0.5, pieceMilliseconds: 500, least: 50, most: 1000 };

const atOnce = 8;
/** Away altogether: the others wait for the storage as well, and each of them would cost a time-out. */
const mostFailures = 4;

/** `heldSince`: the time of the commit that queued them or gave them to this worker. One that fails keeps no other from its removal. */
export async function removeTogether(
  { blobs, removals, clock }: Deps,
  ids: readonly RemovalId[],
  heldSince: number,
): Promise<{ readonly removed: readonly RemovalId[]; readonly failures: readonly unknown[] }> {
  const removed: RemovalId[] = [];
  const failures: unknown[] = [];
  await inParallel(each(ids), atOnce, async (id) => {
    if (failures.length >= mostFailures) return;
    await removeFrom({ blobs }, id).then(
      () => removed.push(id),
      (error: unknown) => failures.push(error),
    );
  });
  if (removed.length > 0) await removals.end({ ids: removed, heldSince, now: clock.now() });
  return { removed, failures };
}

async function* each(ids: readonly RemovalId[]): AsyncIterable<RemovalId> {
  yield* ids;
}
