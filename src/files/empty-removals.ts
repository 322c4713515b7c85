// Use case: empty the queue of bytes that must go. Every node runs it, at its start and then again and again.
import { inParallel } from '../kernel/in-parallel.ts';
import type { FileDeps } from './deps.ts';
import { removeFrom } from './remove-bytes.ts';
import { isUploadId } from './resumable-upload.ts';

type Deps = Pick<FileDeps, 'blobs' | 'removals' | 'clock' | 'log'>;

export type EmptiedQueue = { readonly files: number; readonly uploads: number };

/** Shutdown waits for the current round, so a round is short. */
const perBatch = 100;
const batchesPerRound = 5;
const atOnce = 4;
/** Away altogether: the others wait for the storage as well, and each of them would cost a time-out. */
const mostFailures = 4;

/** Throws the first failure of the storage after all others of its batch were tried; what failed is due again after a pause. */
export async function emptyRemovals({ blobs, removals, clock, log }: Deps): Promise<EmptiedQueue> {
  let [files, uploads] = [0, 0];
  for (let batch = 0; batch < batchesPerRound && (await removals.isDue(clock.now())); batch++) {
    const heldSince = clock.now();
    const ids = await removals.take({ now: heldSince, most: perBatch });
    const removed: string[] = [];
    const failures: unknown[] = [];
    await inParallel(each(ids), atOnce, async (id) => {
      if (failures.length >= mostFailures) return;
      log.info('removing the bytes of what was deleted or never became a file', { id });
      await removeFrom({ blobs }, id).then(
        () => removed.push(id),
        (error: unknown) => failures.push(error),
      );
    });
    if (removed.length > 0) await removals.end({ ids: removed, heldSince, now: clock.now() });
    const ofUploads = removed.filter(isUploadId).length;
    uploads += ofUploads;
    files += removed.length - ofUploads;
    if (failures.length > 0) throw failures[0];
  }
  return { files, uploads };
}

async function* each(ids: readonly string[]): AsyncIterable<string> {
  yield* ids;
}
