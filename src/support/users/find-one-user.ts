// Use case: find one user by id, full phone number or e-mail address, for operators and staff.

import {
  noSuchUser,
  parseUserQuery,
  type UserDirectory,
  type UserRecord,
} from '../../auth/directory/user-directory.ts';
import { Failure } from '../../kernel/failure.ts';

/** Several users may share the last digits of a number, so these do not identify one user. */
export async function findOneUser(
  { directory }: { readonly directory: Pick<UserDirectory, 'searchUsers'> },
  who: string,
): Promise<UserRecord> {
  const query = parseUserQuery(who, 1);
  if (query.by === 'phone end' || query.by === 'nothing') throw new Failure('REQUEST_INVALID', { field: 'who' });
  const [user] = await directory.searchUsers(query);
  if (user === undefined) throw noSuchUser(query.by === 'id' ? query.text : undefined);
  return user;
}
