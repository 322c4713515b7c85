// The command `users block`: ends all sessions of a user at once, on every node within a second, and refuses sign-in.
import { actOnUser } from '../../auth/directory/act-on-user.ts';
import { findOneUser } from '../../support/users/find-one-user.ts';
import type { Command } from '../declarations.ts';

export const usersBlock: Command<'users block'> = async (context, { who, reason }) => {
  const by = context.act(reason);
  const store = await context.open();
  const user = await findOneUser(store, who);
  const { endedSessions } = await actOnUser(store, { userId: user.id, act: 'block', by });
  context.show({ id: user.id, endedSessions }, `${user.id} is blocked; sessions ended: ${endedSessions}.`);
  return 0;
};
