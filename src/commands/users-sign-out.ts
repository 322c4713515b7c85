// The command `users sign-out`: ends every session of a person, who may sign in again.
import { actOnUser } from '../support/act-on-user.ts';
import { findOneUser } from '../support/find-one-user.ts';
import type { Verb } from './operator-context.ts';

export const usersSignOut: Verb = async (context, [who = '']) => {
  const by = context.act();
  const store = await context.open();
  const user = await findOneUser(store, who);
  const { endedSessions } = await actOnUser(store, { userId: user.id, act: 'sign out', by });
  context.show({ id: user.id, endedSessions }, `${user.id} is signed out; sessions ended: ${endedSessions}.`);
  return 0;
};
