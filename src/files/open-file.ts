// Use case: find a file that the caller may read. Unknown, malformed, foreign and deleted ids get the same error.
import { Failure } from '../kernel/failure.ts';
import type { FileDeps } from './deps.ts';
import { isFileId, type StoredFile } from './stored-file.ts';

type Deps = Pick<FileDeps, 'files' | 'purposes'>;

export type OpenedFile = { readonly file: StoredFile; readonly served: 'inline' | 'attachment' };

export async function openFile(
  { files, purposes }: Deps,
  { userId, id }: { userId: string; id: string },
): Promise<OpenedFile> {
  const file = isFileId(id) ? await files.findFile(id) : undefined;
  const purpose = purposes.find((each) => each.name === file?.purpose);
  const mayRead = file !== undefined && (file.userId === userId || purpose?.readableBy === 'signed-in');
  if (!mayRead) throw new Failure('FILE_NOT_FOUND');
  return { file, served: purpose?.served ?? 'attachment' };
}
