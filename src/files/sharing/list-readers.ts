// Use case: list the users whom the caller named as readers of a file.
import { Failure } from '../../kernel/failure.ts';
import type { FileDeps } from '../deps.ts';
import { isFileId } from '../stored-file.ts';

type Deps = Pick<FileDeps, 'sharing' | 'clock'>;

export async function listReaders(
  { sharing, clock }: Deps,
  input: { readonly userId: string; readonly fileId: string },
): Promise<readonly string[]> {
  const readers = isFileId(input.fileId) ? await sharing.listReaders({ ...input, now: clock.now() }) : undefined;
  if (readers === undefined) throw new Failure('FILE_NOT_FOUND');
  return readers;
}
