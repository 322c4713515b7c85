// Use case: remove the bytes of deleted files and uploads right after the commit that queued them. The rest stays in the queue.
import type { FileDeps } from '../deps.ts';
import { isUploadId } from '../resumable/resumable-upload.ts';
import { isFileId } from '../stored-file.ts';
import { heldUntil, type RemovalId } from './removal-queue.ts';

type Deps = Pick<FileDeps, 'blobs' | 'clock' | 'removals'>;

/**
 * Never throws, because for every client they are deleted already. Returns the ids whose bytes remain for now. `heldSince`: the time of
 * the commit that queued them. Without it they belong to files in the making, which are noted until their time is over.
 */
export async function removeBytes(
  deps: Deps,
  ids: readonly RemovalId[],
  heldSince?: number,
): Promise<readonly RemovalId[]> {
  const { removals, clock } = deps;
  const at = await removeInTurn(deps, ids, heldSince === undefined ? Infinity : heldUntil(heldSince));
  const [removed, left] = [ids.slice(0, at), ids.slice(at)];
  // If the queue does not learn of it, a worker removes them once more.
  if (removed.length > 0 && heldSince !== undefined)
    await removals.end({ ids: removed, heldSince, now: clock.now() }).catch(() => undefined);
  return left;
}

/** How many it removed. Stops at the first error, because an unreachable storage would delay the caller for each id; and when workers take the rest. */
async function removeInTurn(deps: Deps, ids: readonly RemovalId[], until: number): Promise<number> {
  for (const [at, id] of ids.entries()) {
    if (deps.clock.now() >= until) return at;
    const isRemoved = await removeFrom(deps, id).then(
      () => true,
      () => false,
    );
    if (!isRemoved) return at;
  }
  return ids.length;
}

/** All bytes of a file with its variants, or of an upload in several requests. */
export async function removeFrom({ blobs }: Pick<Deps, 'blobs'>, id: RemovalId): Promise<void> {
  if (isUploadId(id)) await blobs.parts.remove(id);
  // No storage has bytes under a name of another form.
  else if (isFileId(id)) await blobs.remove(id);
}
