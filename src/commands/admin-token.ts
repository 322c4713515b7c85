// The command `admin token`: lets one of the support staff in, by a link that works once and is told nowhere else.
import { parseDuration } from '../config/units.ts';
import { adminPolicy } from '../support/admin.ts';
import { issueAdminToken } from '../support/issue-admin-token.ts';
import { CommandError } from './command-error.ts';
import type { Verb } from './operator-context.ts';
import { isoTime, writeTime } from './write-text.ts';

export const adminToken: Verb = async (context, _, { name = '', life }) => {
  if (name.trim() === '') throw new CommandError('Say who it is for, for the audit log: --name "Ada"', 2);
  const lifeSeconds = life === undefined ? adminPolicy.usualLifeSeconds : parseDuration(life);
  if (lifeSeconds === undefined || lifeSeconds < 60 || lifeSeconds > adminPolicy.longestLifeSeconds)
    throw new CommandError('--life takes a time from 1m to 24h, such as 30m or 8h', 2);
  const { token, id, endsAt, linkEndsAt } = await issueAdminToken(await context.open(), { name, lifeSeconds });
  const link = `${context.config().publicUrl}/admin#${token}`;
  context.show({ id, name: name.trim(), link, token, linkEndsAt: isoTime(linkEndsAt), endsAt: isoTime(endsAt) }, link);
  context.say(`Works once, until ${writeTime(linkEndsAt)}; the sign-in ends at ${writeTime(endsAt)}.`);
  context.say(`To end it sooner: gatehouse admin revoke ${id} --reason …`);
  return 0;
};
