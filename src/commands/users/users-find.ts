// The command `users find`: finds users by phone number, the end of one, e-mail address or id.
import { parseUserQuery } from '../../auth/directory/user-directory.ts';
import { staffView } from '../../auth/directory/user-views.ts';
import type { Command } from '../declarations.ts';
import { writeTable } from '../write-text.ts';
import { recordReveal, userHead, userRow } from './write-user.ts';

export const usersFind: Command<'users find'> = async (context, { who, limit, reveal, reason }) => {
  const query = parseUserQuery(who, limit);
  const store = await context.open();
  const found = await store.directory.searchUsers(query);
  const ids = found.map(({ id }) => id);
  if (reveal) await recordReveal(store, context.act(reason), ids);
  const rows = found.map((user) => userRow(user, reveal));
  context.show(
    { users: found.map((user) => staffView(user, reveal).account) },
    rows.length === 0 ? '' : writeTable(userHead, rows),
  );
  if (rows.length > 0) return 0;
  context.say('No users found.');
  return 1;
};
