// The command `admin revoke`: ends a sign-in to the admin page, or the link to one; the next call is refused.
import { revokeAdmin } from '../support/revoke-admin.ts';
import type { Verb } from './desk.ts';

export const adminRevoke: Verb = async (desk, [id = '']) => {
  const by = desk.act();
  await revokeAdmin(await desk.open(), { id, by });
  desk.show({ id }, `${id} is ended.`);
  return 0;
};
