// Use case: one person by their id, whole number or address, for those who run the service.
import { Failure } from '../kernel/failure.ts';
import { parseUserQuery, type UserDirectory, type UserRecord } from './user-directory.ts';

/** The end of a number may be somebody else's too: to act on someone it is not enough. */
export async function findOneUser(
  { directory }: { readonly directory: UserDirectory },
  who: string,
): Promise<UserRecord> {
  const query = parseUserQuery(who, 1);
  if (query.by === 'phone end' || query.by === 'nothing') throw new Failure('REQUEST_INVALID', { field: 'who' });
  const [user] = await directory.searchUsers(query);
  if (user === undefined) throw new Failure('NOT_FOUND');
  return user;
}
