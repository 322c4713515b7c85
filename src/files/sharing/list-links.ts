// Use case: list the links to one of the caller’s files: those that were not revoked and whose time is not over.

import { Failure } from '../../kernel/failure.ts';
import type { UserId } from '../../kernel/ids.ts';
import type { FileDeps } from '../deps.ts';
import { isFileId } from '../stored-file.ts';
import type { FileLink } from './file-link.ts';

type Deps = Pick<FileDeps, 'sharing' | 'clock'>;

export async function listLinks(
  { sharing, clock }: Deps,
  { userId, fileId }: { readonly userId: UserId; readonly fileId: string },
): Promise<readonly FileLink[]> {
  const links = isFileId(fileId) ? await sharing.listLinks({ userId, fileId, now: clock.now() }) : undefined;
  if (links === undefined) throw new Failure('FILE_NOT_FOUND');
  return links;
}
