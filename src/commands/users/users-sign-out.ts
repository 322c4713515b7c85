// The command `users sign-out`: ends all sessions of a user, who may sign in again.
import { actOnUser } from '../../auth/directory/act-on-user.ts';
import { findOneUser } from '../../support/users/find-one-user.ts';
import type { Command } from '../declarations.ts';

export const usersSignOut: Command<'users sign-out'> = async (context, { who, reason }) => {
  const by = context.act(reason);
  const store = await context.open();
  const user = await findOneUser(store, who);
  const { endedSessions } = await actOnUser(store, { userId: user.id, act: 'sign out', by });
  context.show({ id: user.id, endedSessions }, `${user.id} is signed out; sessions ended: ${endedSessions}.`);
  return 0;
};
