// Ends an upload in several requests whose content is refused, and removes the bytes of ended uploads.
import type { UploadId, UserId } from '../../kernel/ids.ts';
import type { FileDeps } from '../deps.ts';
import { removeBytes } from '../sweeps/remove-bytes.ts';

type Deps = Pick<FileDeps, 'blobs' | 'removals' | 'resumables' | 'runningUploads' | 'clock'>;

/** The holder is its writer or finisher. If a newer request has taken the upload, it goes on without this one. Never throws. Gives whether it has ended by this. */
export async function endUpload(
  deps: Deps,
  { id, userId }: { readonly id: UploadId; readonly userId: UserId },
  holder: string,
): Promise<boolean> {
  const now = deps.clock.now();
  const outcome = await deps.resumables.cancel({ uploadId: id, userId, holder, now }).catch(() => 'lost' as const);
  // Unknown: the settlement, or the deletion of the user, has ended it already.
  if (outcome === 'cancelled' || outcome === 'unknown') deps.runningUploads.follow(removeBytes(deps, [id], now));
  return outcome === 'cancelled';
}

/** The answer does not wait for it. If it fails, the sweep repeats it. */
export function dropParts(deps: Deps, uploadId: UploadId): void {
  const { blobs, resumables, runningUploads, clock } = deps;
  const drop = async () => {
    await blobs.parts.remove(uploadId);
    await resumables.forgetParts({ uploadId, now: clock.now() });
  };
  runningUploads.follow(drop());
}
