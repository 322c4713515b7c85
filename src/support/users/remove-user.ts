// Use case: delete a user for an operator or staff: account, sessions, links and files, as if the user deleted the account.

import type { AuthDeps } from '../../auth/deps.ts';
import type { UserDirectory } from '../../auth/directory/user-directory.ts';
import type { Act } from '../../kernel/audit.ts';
import type { UserId } from '../../kernel/ids.ts';
import { findOneUser } from './find-one-user.ts';

type Deps = Pick<AuthDeps, 'clock' | 'users' | 'removeBytes'> & { readonly directory: UserDirectory };

export async function removeUser(
  deps: Deps,
  { userId, by }: { userId: UserId; by: Act },
): Promise<{ endedSessions: number; deletedFiles: number }> {
  await findOneUser(deps, userId);
  const now = deps.clock.now();
  const { sessionIds, fileIds, uploadIds } = await deps.users.deleteUser({ userId, now, by });
  await deps.removeBytes([...fileIds, ...uploadIds], now);
  return { endedSessions: sessionIds.length, deletedFiles: fileIds.length };
}
