// Use case: remove the blobs of deleted files. If the storage fails, it remembers the rest for later.
import type { SweepStore } from './blob-sweep.ts';
import type { FileDeps } from './deps.ts';

type Deps = Pick<FileDeps, 'blobs' | 'clock'> & { readonly sweeps: Pick<SweepStore, 'noteOwn'> };

/** Never throws, because the files are already deleted for every client. Returns the ids whose bytes remain for now. */
export async function removeBlobs({ blobs, clock, sweeps }: Deps, ids: readonly string[]): Promise<readonly string[]> {
  for (const [at, id] of ids.entries()) {
    const isRemoved = await blobs.remove(id).then(
      () => true,
      () => false,
    );
    if (isRemoved) continue;
    // Stops at the first error: an unreachable storage would delay the caller for each id. If `noteOwn` fails, a later sweep finds them.
    const left = ids.slice(at);
    await sweeps.noteOwn({ ids: left, now: clock.now() }).catch(() => undefined);
    return left;
  }
  return [];
}
