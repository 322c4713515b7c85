// The command `admin token`: prints a link that signs a member of staff in. The link works once and is shown nowhere else.
import { parseDuration } from '../../config/units.ts';
import { findWord } from '../../kernel/text/closed-list.ts';
import { adminPolicy } from '../../support/staff/admin.ts';
import { issueAdminToken } from '../../support/staff/issue-admin-token.ts';
import { staffRoles } from '../../support/staff/staff-role.ts';
import { CommandError } from '../command-error.ts';
import type { Command } from '../declarations.ts';
import { isoTime, writeTime } from '../write-text.ts';

export const adminToken: Command<'admin token'> = async (context, { name = '', role: word, life }) => {
  if (name.trim() === '')
    throw new CommandError('Give the name of the member of staff, for the audit log: --name "Ada"', 2);
  const role = word === undefined ? undefined : findWord(staffRoles, word);
  if (word !== undefined && role === undefined)
    throw new CommandError('--role takes viewer (looks), support (helps users) or owner (may do everything).', 2);
  const lifeSeconds = life === undefined ? adminPolicy.usualLifeSeconds : parseDuration(life);
  if (lifeSeconds === undefined || lifeSeconds < 60 || lifeSeconds > adminPolicy.longestLifeSeconds)
    throw new CommandError('--life takes a time from 1m to 24h, such as 30m or 8h.', 2);
  const input = { name, role, lifeSeconds };
  const { token, id, endsAt, linkEndsAt, ...issued } = await issueAdminToken(await context.open(), input);
  const link = `${context.config().publicUrl}/admin#${token}`;
  const ends = { linkEndsAt: isoTime(linkEndsAt), endsAt: isoTime(endsAt) };
  context.show({ id, name: name.trim(), role: issued.role, link, token, ...ends }, link);
  context.say(
    `Role: ${issued.role}. Works once, until ${writeTime(linkEndsAt)}; the sign-in ends at ${writeTime(endsAt)}.`,
  );
  context.say(`To end it sooner: gatehouse admin revoke ${id} --reason …`);
  return 0;
};
