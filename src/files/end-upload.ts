// Ends an upload in several requests whose content is refused, and removes the bytes of ended uploads.
import type { FileDeps } from './deps.ts';

type Deps = Pick<FileDeps, 'blobs' | 'resumables' | 'runningUploads' | 'clock'>;

/** The holder is its writer or finisher. If a newer request has taken the upload, it goes on without this one. Never throws. */
export async function endUpload(
  deps: Deps,
  { id, userId }: { readonly id: string; readonly userId: string },
  holder: string,
): Promise<void> {
  const now = deps.clock.now();
  const outcome = await deps.resumables.cancel({ uploadId: id, userId, holder, now }).catch(() => 'lost' as const);
  // Unknown: the settlement has ended it already. If the store cannot be asked, the sweep finds the parts later.
  if (outcome === 'cancelled' || outcome === 'unknown') deps.runningUploads.follow(deps.blobs.parts.remove(id));
}

/** The answer does not wait for it. If it fails, the sweep repeats it. */
export function dropParts(deps: Deps, uploadId: string): void {
  const { blobs, resumables, runningUploads, clock } = deps;
  const drop = async () => {
    await blobs.parts.remove(uploadId);
    await resumables.forgetParts({ uploadId, now: clock.now() });
  };
  runningUploads.follow(drop());
}
