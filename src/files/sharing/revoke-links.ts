// Use case: revoke one link to a file of the caller, or all of them. They stop working at once, on every node.

import { Failure } from '../../kernel/failure.ts';
import type { UserId } from '../../kernel/ids.ts';
import type { FileDeps } from '../deps.ts';
import { isFileId } from '../stored-file.ts';

type Deps = Pick<FileDeps, 'sharing' | 'clock'>;

type RevokeLinks = { readonly userId: UserId; readonly fileId: string; readonly linkId?: string };

export async function revokeLinks({ sharing, clock }: Deps, { fileId, ...input }: RevokeLinks): Promise<void> {
  const isRevoked = isFileId(fileId) && (await sharing.revokeLinks({ ...input, fileId, now: clock.now() }));
  if (!isRevoked) throw new Failure('FILE_NOT_FOUND');
}
