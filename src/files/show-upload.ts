// Use case: tell how far an upload in several requests has come. It ends an older request that still sends bytes.
import { unreachable } from '../kernel/closed-list.ts';
import { waitFor } from '../kernel/deadline.ts';
import type { FileDeps } from './deps.ts';
import { isUploadId, type ResumableUpload } from './resumable-upload.ts';
import type { CutReason } from './running-uploads.ts';
import type { StoredFile } from './stored-file.ts';
import { goneUpload } from './upload-answers.ts';

export type ShownUpload = {
  readonly upload: ResumableUpload;
  /** Given if the file is stored, and was not deleted since. */
  readonly file: StoredFile | undefined;
};

type ShowUpload = { readonly uploadId: string; readonly userId: string };

export async function showUpload(deps: FileDeps, { uploadId, userId }: ShowUpload): Promise<ShownUpload> {
  if (!isUploadId(uploadId)) throw goneUpload({ kind: 'unknown' });
  // What has arrived here is kept first, so that the client need not send it again.
  await cutInTime(deps, { uploadId, userId }, 'asked for');
  const offset = undefined;
  const now = deps.clock.now();
  const outcome = await deps.resumables.take({ uploadId, userId, writer: undefined, offset, now });
  switch (outcome.kind) {
    case 'unknown':
    case 'expired':
      throw goneUpload(outcome);
    case 'wrong offset':
      throw new Error('no offset was given');
    case 'taken':
    case 'finishing':
      return { upload: outcome.upload, file: undefined };
    case 'stored':
      return outcome;
    default:
      return unreachable(outcome);
  }
}

/** Waits for the older request of this user on this node, if there is one, but not for a storage that hangs. */
export async function cutInTime(
  { runningUploads, uploadTimes }: Pick<FileDeps, 'runningUploads' | 'uploadTimes'>,
  { uploadId, userId }: ShowUpload,
  reason: CutReason,
): Promise<void> {
  const milliseconds = uploadTimes.releaseMilliseconds;
  const late = () => new Error('the older request does not end');
  await waitFor(runningUploads.cut(uploadId, userId, reason), { milliseconds, late }).catch(() => undefined);
}
