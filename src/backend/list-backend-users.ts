// Use case: list all users for the back end of an app, page by page, in an order that new users do not disturb.

import type { BackendUser } from '../auth/directory/user-directory.ts';
import { parseUuid } from '../kernel/crypto/uuid.ts';
import { Failure } from '../kernel/failure.ts';
import type { BackendUserStore } from './backend-user.ts';

type UserPage = { readonly users: readonly BackendUser[]; readonly next: string | null };

/** The cursor is the id of the last user of the previous page. That user may have been deleted since. */
export async function listBackendUsers(
  { backendUsers }: { readonly backendUsers: Pick<BackendUserStore, 'list'> },
  { cursor, limit }: { cursor: string | undefined; limit: number },
): Promise<UserPage> {
  const after = cursor === undefined ? undefined : parseUuid(cursor);
  if (cursor !== undefined && after === undefined) throw new Failure('REQUEST_INVALID', { field: 'cursor' });
  // One more than asked for shows whether there is another page.
  const found = await backendUsers.list({ after, most: limit + 1 });
  const users = found.slice(0, limit);
  return { users, next: found.length > limit ? (users.at(-1)?.id ?? null) : null };
}
