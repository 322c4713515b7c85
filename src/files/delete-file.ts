// Use case: delete one of the caller's files; its id never comes back.
import { Failure } from '../kernel/failure.ts';
import type { FileDeps } from './deps.ts';
import { isFileId } from './stored-file.ts';

type Deps = Pick<FileDeps, 'files' | 'blobs' | 'clock'>;

export async function deleteFile(
  { files, blobs, clock }: Deps,
  { userId, id }: { userId: string; id: string },
): Promise<void> {
  const isGone = isFileId(id) && (await files.deleteFile({ userId, id, now: clock.now() }));
  if (!isGone) throw new Failure('FILE_NOT_FOUND');
  // The record is gone, so the file is; bytes that stay behind are found by the sweeper.
  await blobs.remove(id).catch(() => undefined);
}
