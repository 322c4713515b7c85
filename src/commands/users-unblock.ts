// The command `users unblock`: lets a person in again; the sessions that ended stay ended.
import { actOnUser } from '../support/act-on-user.ts';
import { findOneUser } from '../support/find-one-user.ts';
import type { Verb } from './operator-context.ts';

export const usersUnblock: Verb = async (context, [who = '']) => {
  const by = context.act();
  const store = await context.open();
  const user = await findOneUser(store, who);
  await actOnUser(store, { userId: user.id, act: 'unblock', by });
  context.show({ id: user.id }, `${user.id} may sign in again.`);
  return 0;
};
