// Use case: remove the bytes of files whose records are gone; what the storage does not take now is remembered for later.
import type { SweepStore } from './blob-sweep.ts';
import type { FileDeps } from './deps.ts';

type Deps = Pick<FileDeps, 'blobs' | 'clock'> & { readonly sweeps: Pick<SweepStore, 'noteOwn'> };

/** Never fails: the files are gone for everybody already. Tells which bytes stay behind for now. */
export async function removeBlobs({ blobs, clock, sweeps }: Deps, ids: readonly string[]): Promise<readonly string[]> {
  for (const [at, id] of ids.entries()) {
    const isGone = await blobs.remove(id).then(
      () => true,
      () => false,
    );
    if (isGone) continue;
    // A storage that is away now would make the caller wait for each. Where this cannot be written down, a later sweep finds them.
    const left = ids.slice(at);
    await sweeps.noteOwn({ ids: left, now: clock.now() }).catch(() => undefined);
    return left;
  }
  return [];
}
