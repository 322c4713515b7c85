// The command `users block`: every session ends at once, on every node within a second, and no sign-in works.
import { actOnUser } from '../support/act-on-user.ts';
import { findOneUser } from '../support/find-one-user.ts';
import type { Verb } from './operator-context.ts';

export const usersBlock: Verb = async (context, [who = '']) => {
  const by = context.act();
  const store = await context.open();
  const user = await findOneUser(store, who);
  const { endedSessions } = await actOnUser(store, { userId: user.id, act: 'block', by });
  context.show({ id: user.id, endedSessions }, `${user.id} is blocked; sessions ended: ${endedSessions}.`);
  return 0;
};
