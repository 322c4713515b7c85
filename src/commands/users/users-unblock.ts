// The command `users unblock`: lets a blocked user sign in again. Sessions that have ended stay ended.
import { actOnUser } from '../../auth/directory/act-on-user.ts';
import { findOneUser } from '../../support/users/find-one-user.ts';
import type { Command } from '../declarations.ts';

export const usersUnblock: Command<'users unblock'> = async (context, { who, reason }) => {
  const by = context.act(reason);
  const store = await context.open();
  const user = await findOneUser(store, who);
  await actOnUser(store, { userId: user.id, act: 'unblock', by });
  context.show({ id: user.id }, `${user.id} may sign in again.`);
  return 0;
};
