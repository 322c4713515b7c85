// The command `admin revoke`: ends a sign-in to the admin page, or the link to one; the next call is refused.
import { revokeAdmin } from '../support/revoke-admin.ts';
import type { Verb } from './operator-context.ts';

export const adminRevoke: Verb = async (context, [id = '']) => {
  const by = context.act();
  await revokeAdmin(await context.open(), { id, by });
  context.show({ id }, `${id} is ended.`);
  return 0;
};
