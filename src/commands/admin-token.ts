// The command `admin token`: lets one of the support staff in, by a link that works once and is told nowhere else.
import { parseDuration } from '../config/units.ts';
import { adminPolicy } from '../support/admin.ts';
import { issueAdminToken } from '../support/issue-admin-token.ts';
import type { Verb } from './desk.ts';
import { Trouble } from './trouble.ts';
import { isoTime, writeTime } from './write-text.ts';

export const adminToken: Verb = async (desk, _, { name = '', life }) => {
  if (name.trim() === '') throw new Trouble('Say who it is for, for the audit log: --name "Ada"', 2);
  const lifeSeconds = life === undefined ? adminPolicy.usualLifeSeconds : parseDuration(life);
  if (lifeSeconds === undefined || lifeSeconds < 60 || lifeSeconds > adminPolicy.longestLifeSeconds)
    throw new Trouble('--life takes a time from 1m to 24h, such as 30m or 8h', 2);
  const { token, id, endsAt, linkEndsAt } = await issueAdminToken(await desk.open(), { name, lifeSeconds });
  const link = `${desk.config().publicUrl}/admin#${token}`;
  desk.show({ id, name: name.trim(), link, token, linkEndsAt: isoTime(linkEndsAt), endsAt: isoTime(endsAt) }, link);
  desk.say(`Works once, until ${writeTime(linkEndsAt)}; the sign-in ends at ${writeTime(endsAt)}.`);
  desk.say(`To end it sooner: gatehouse admin revoke ${id} --reason …`);
  return 0;
};
