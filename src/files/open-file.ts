// Use case: find a file that the caller may read. Unknown, malformed, foreign and deleted ids get the same error.

import { isAlwaysAttached, isMediaType } from '#media/media-type';
import { Failure } from '../kernel/failure.ts';
import type { FileId } from '../kernel/ids.ts';
import type { FileDeps } from './deps.ts';
import { type FileReader, mayRead } from './file-reader.ts';
import type { Purpose } from './purpose.ts';
import { isFileId, type StoredFile } from './stored-file.ts';

type Deps = Pick<FileDeps, 'files' | 'sharing' | 'purposes' | 'clock'>;

export type OpenedFile = { readonly file: StoredFile; readonly served: 'inline' | 'attachment' };

export async function openFile(
  deps: Deps,
  { id, ...reader }: FileReader & { readonly id: string },
): Promise<OpenedFile> {
  const found = isFileId(id) ? await find(deps, id, reader) : undefined;
  if (found === undefined) throw new Failure('FILE_NOT_FOUND');
  const { file, isNamed } = found;
  const purpose = deps.purposes.find((each) => each.name === file.purpose);
  if (!mayRead(reader, { ...file, isNamed }, purpose)) throw new Failure('FILE_NOT_FOUND');
  return { file, served: servedAs(file, purpose) };
}

/** One query for every caller. */
function find({ files, sharing, clock }: Deps, id: FileId, reader: FileReader) {
  const now = clock.now();
  if ('userId' in reader) return sharing.findFor({ id, userId: reader.userId, now });
  return files.findFile({ id, now }).then((file) => file && { file, isNamed: false });
}

export function servedAs(file: StoredFile, purpose: Purpose | undefined): OpenedFile['served'] {
  const isAttached = purpose === undefined || (isMediaType(file.type) && isAlwaysAttached(file.type));
  return isAttached ? 'attachment' : purpose.served;
}
