// Use case: cancel an upload in several requests. Its bytes and its reservation go.

import { unreachable } from '../kernel/closed-list.ts';
import { Failure } from '../kernel/failure.ts';
import type { FileDeps } from './deps.ts';
import { isUploadId } from './resumable-upload.ts';
import { cutInTime } from './show-upload.ts';
import { goneUpload } from './upload-answers.ts';

type CancelUpload = { readonly uploadId: string; readonly userId: string };

export async function cancelUpload(deps: FileDeps, { uploadId, userId }: CancelUpload): Promise<void> {
  if (!isUploadId(uploadId)) throw goneUpload({ kind: 'unknown' });
  await cutInTime(deps, { uploadId, userId }, 'taken over');
  const outcome = await deps.resumables.cancel({ uploadId, userId, now: deps.clock.now() });
  switch (outcome) {
    case 'cancelled':
      // If it fails, the sweep finds the parts.
      return deps.runningUploads.follow(deps.blobs.parts.remove(uploadId));
    case 'finishing':
      throw new Failure('UPLOAD_IN_PROGRESS', { retryAfterSeconds: 1 });
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
