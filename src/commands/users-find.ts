// The command `users find`: people by number, the end of one, address or id.
import { parseUserQuery } from '../support/user-directory.ts';
import type { Verb } from './operator-context.ts';
import { readLimit } from './read-options.ts';
import { reveals, userData, userHead, userRow } from './show-user.ts';
import { writeTable } from './write-text.ts';

export const usersFind: Verb = async (context, [who = ''], options) => {
  const query = parseUserQuery(who, readLimit(options.limit, 20));
  const store = await context.open();
  const found = await store.directory.searchUsers(query);
  const ids = found.map(({ id }) => id);
  const reveal = await reveals(context, options, store, ids);
  const rows = found.map((user) => userRow(user, reveal));
  context.show(
    { users: found.map((user) => userData(user, reveal)) },
    rows.length === 0 ? '' : writeTable(userHead, rows),
  );
  if (rows.length > 0) return 0;
  context.say('Nobody found.');
  return 1;
};
