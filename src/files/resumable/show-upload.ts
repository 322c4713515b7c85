// Use case: tell how far an upload in several requests has come. It ends an older request that still sends bytes.
import type { UserId } from '../../kernel/ids.ts';
import { unreachable } from '../../kernel/text/closed-list.ts';
import type { FileDeps } from '../deps.ts';
import type { StoredFile } from '../stored-file.ts';
import { isUploadId, type ResumableUpload } from './resumable-upload.ts';
import { goneUpload } from './upload-answers.ts';

type ShownUpload = {
  readonly upload: ResumableUpload;
  /** Given if the file is stored, and was not deleted since. */
  readonly file: StoredFile | undefined;
};

type ShowUpload = { readonly uploadId: string; readonly userId: UserId };

export async function showUpload(deps: FileDeps, { uploadId, userId }: ShowUpload): Promise<ShownUpload> {
  if (!isUploadId(uploadId)) throw goneUpload({ kind: 'unknown' });
  const { runningUploads, resumables, uploadTimes, clock } = deps;
  // The bytes that have arrived here are kept first, so the client need not send them again. But nothing waits for a storage that hangs.
  const question = { uploadId, userId, reason: 'asked for', milliseconds: uploadTimes.releaseMilliseconds } as const;
  const outcome = await runningUploads.ask(question, () =>
    resumables.take({ uploadId, userId, writer: undefined, offset: undefined, now: clock.now() }),
  );
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
