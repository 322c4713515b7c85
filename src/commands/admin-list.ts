// The command `admin list`: who was let into the admin page, newest first.
import { stateOf } from '../support/admin.ts';
import type { Verb } from './operator-context.ts';
import { readLimit } from './read-options.ts';
import { isoTime, writeTable, writeTime } from './write-text.ts';

export const adminList: Verb = async (context, _, options) => {
  const { admins, clock } = await context.open();
  const found = await admins.list(readLimit(options.limit, 50));
  const now = clock.now();
  const data = found.map((admin) => ({
    id: admin.id,
    name: admin.name,
    state: stateOf(admin, now),
    createdAt: isoTime(admin.createdAt),
    lastUsedAt: isoTime(admin.lastUsedAt),
    endsAt: isoTime(admin.endsAt),
  }));
  const rows = found.map((admin) => [
    admin.id,
    admin.name,
    stateOf(admin, now),
    writeTime(admin.createdAt),
    writeTime(admin.lastUsedAt),
    writeTime(admin.endsAt),
  ]);
  const head = ['id', 'name', 'state', 'made', 'last used', 'ends'];
  context.show({ admins: data }, rows.length === 0 ? '' : writeTable(head, rows));
  if (rows.length === 0) context.say('Nobody was let in yet: gatehouse admin token --name NAME');
  return 0;
};
