// The command `admin revoke`: ends a sign-in to the admin page, or revokes its link. The next call is refused.
import { revokeAdmin } from '../../support/staff/revoke-admin.ts';
import type { Command } from '../declarations.ts';

export const adminRevoke: Command<'admin revoke'> = async (context, { id, reason }) => {
  const by = context.act(reason);
  await revokeAdmin(await context.open(), { id, by });
  context.show({ id }, `${id} is revoked.`);
  return 0;
};
