// The command `users remove-email`: removes the e-mail address of a user. The address gets a notice, and becomes free.
import { findOneUser } from '../../support/users/find-one-user.ts';
import { removeUserEmail } from '../../support/users/remove-user-email.ts';
import type { Command } from '../declarations.ts';
import { readLanguage, staffDeps } from './staff-deps.ts';

export const usersRemoveEmail: Command<'users remove-email'> = async (context, { who, language, reason }) => {
  const by = context.act(reason);
  const deps = await staffDeps(context);
  const { id: userId } = await findOneUser(deps, who);
  const removed = await removeUserEmail(deps, { userId, by, language: readLanguage(language) });
  const text = removed ? 'the e-mail address is removed.' : 'there is no e-mail address.';
  context.show({ id: userId, removed }, `${userId}: ${text}`);
  return 0;
};
