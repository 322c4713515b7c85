// Use case: name the users who may read one of the caller's files. The list replaces the one before.

import { Failure } from '../../kernel/failure.ts';
import type { UserId } from '../../kernel/ids.ts';
import type { FileDeps } from '../deps.ts';
import { isFileId } from '../stored-file.ts';
import { sharingFailure } from './create-link.ts';

type Deps = Pick<FileDeps, 'sharing' | 'purposes' | 'clock'>;

type SetReaders = { readonly userId: UserId; readonly fileId: string; readonly users: readonly UserId[] };

/** Ids without an account are kept like any other, so that nobody can find out who has an account. */
export async function setReaders(
  { sharing, purposes, clock }: Deps,
  { userId, fileId, users }: SetReaders,
): Promise<readonly UserId[]> {
  if (!isFileId(fileId)) throw new Failure('FILE_NOT_FOUND');
  const readers = [...new Set(users)].filter((id) => id !== userId).sort();
  const outcome = await sharing.setReaders({
    userId,
    fileId,
    readers,
    purposes: purposes.filter(({ readableBy }) => readableBy === 'named').map(({ name }) => name),
    now: clock.now(),
  });
  if (outcome !== 'set') throw sharingFailure(outcome);
  return readers;
}
