// Use case: cancel an upload in several requests. Its bytes and its reservation go.

import type { UploadId, UserId } from '../../kernel/ids.ts';
import { unreachable } from '../../kernel/text/closed-list.ts';
import type { FileDeps } from '../deps.ts';
import { removeBytes } from '../sweeps/remove-bytes.ts';
import { isUploadId } from './resumable-upload.ts';
import { goneUpload, inProgress } from './upload-answers.ts';

type CancelUpload = { readonly uploadId: string; readonly userId: UserId };

export async function cancelUpload(deps: FileDeps, { uploadId, userId }: CancelUpload): Promise<void> {
  if (!isUploadId(uploadId)) throw goneUpload({ kind: 'unknown' });
  const { runningUploads, resumables, uploadTimes, clock } = deps;
  const question = { uploadId, userId, reason: 'taken over', milliseconds: uploadTimes.releaseMilliseconds } as const;
  let now = clock.now();
  const outcome = await runningUploads.ask(question, () => {
    now = clock.now();
    return resumables.cancel({ uploadId, userId, now });
  });
  switch (outcome) {
    case 'cancelled':
      return runningUploads.follow(removeBytes(deps, [uploadId], now));
    case 'finishing':
      throw inProgress(await leaseOf(deps, { uploadId, userId }), clock.now());
    // There is nothing to cancel any more. The file stays.
    case 'stored':
    case 'lost':
      throw goneUpload({ kind: 'unknown' });
    case 'unknown':
    case 'expired':
      throw goneUpload({ kind: outcome });
    default:
      return unreachable(outcome);
  }
}

/** How long the file may still be being stored. Asking changes nothing. */
async function leaseOf(
  { resumables, clock }: FileDeps,
  { uploadId, userId }: { readonly uploadId: UploadId; readonly userId: UserId },
) {
  const asked = { uploadId, userId, writer: undefined, offset: undefined, now: clock.now() };
  const outcome = await resumables.take(asked);
  return outcome.kind === 'finishing' ? outcome.upload.finishUntil : undefined;
}
