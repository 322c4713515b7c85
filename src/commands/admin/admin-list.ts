// The command `admin list`: lists the sign-ins to the admin page, newest first.
import { stateOf } from '../../support/staff/admin.ts';
import type { Command } from '../declarations.ts';
import { isoTime, writeTable, writeTime } from '../write-text.ts';

export const adminList: Command<'admin list'> = async (context, { limit }) => {
  const { admins, clock } = await context.open();
  const found = await admins.list(limit);
  const now = clock.now();
  const data = found.map((admin) => ({
    id: admin.id,
    name: admin.name,
    role: admin.role,
    state: stateOf(admin, now),
    createdAt: isoTime(admin.createdAt),
    lastUsedAt: isoTime(admin.lastUsedAt),
    endsAt: isoTime(admin.endsAt),
  }));
  const rows = found.map((admin) => [
    admin.id,
    admin.name,
    admin.role,
    stateOf(admin, now),
    writeTime(admin.createdAt),
    writeTime(admin.lastUsedAt),
    writeTime(admin.endsAt),
  ]);
  const head = ['id', 'name', 'role', 'state', 'created', 'last used', 'ends'];
  context.show({ admins: data }, rows.length === 0 ? '' : writeTable(head, rows));
  if (rows.length === 0) context.say('No sign-ins yet. To create a link: gatehouse admin token --name NAME');
  return 0;
};
