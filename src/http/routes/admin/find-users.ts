// POST /api/admin/users/search: finds users. The query is in the body, so that proxies do not log phone numbers or e-mail addresses.

import { parseUserQuery } from '../../../auth/directory/user-directory.ts';
import { staffView } from '../../../auth/directory/user-views.ts';
import { parseUuid } from '../../../kernel/crypto/uuid.ts';
import { Failure } from '../../../kernel/failure.ts';
import type { SupportDeps } from '../../../support/deps.ts';
import { includesRole } from '../../../support/staff/staff-role.ts';
import { defineRoute } from '../../interface/route.ts';
import { list, nullable, object, text } from '../../interface/schema.ts';
import { adminUser } from '../user-schemas.ts';

const pageSize = 25;

/** With more, ten searches for each further digit would reveal a masked number to somebody who may not see it. */
const mostDigitsOfViewers = 4;

export function adminFindUsersRoute({ directory }: SupportDeps) {
  return defineRoute({
    summary: 'Find users',
    description:
      'Searches by id, phone number, the last digits of a phone number (at least three) or e-mail address. If “who” is empty, lists the newest users. Newest first. “next” is the cursor of the next page. A viewer may search by four last digits at most, or by the whole number.',
    success: 'ADMIN_VIEW',
    failures: ['STAFF_ROLE_REQUIRED'],
    body: object({ who: text({ maxLength: 320 }) }, { cursor: text({ maxLength: 64 }) }),
    data: object({ users: list(adminUser), next: nullable(text()) }),
    handle: async ({ body: { who, cursor }, admin }) => {
      const before = cursor === undefined ? undefined : parseUuid(cursor);
      if (cursor !== undefined && before === undefined) throw new Failure('REQUEST_INVALID', { field: 'cursor' });
      const query = parseUserQuery(who, pageSize + 1);
      const isLong = query.by === 'phone end' && query.text.length > mostDigitsOfViewers;
      if (isLong && !includesRole(admin.role, 'support')) throw new Failure('STAFF_ROLE_REQUIRED', { list: 'support' });
      const found = await directory.searchUsers({ ...query, ...(before !== undefined && { before }) });
      const users = found.slice(0, pageSize).map((user) => staffView(user, false).account);
      return { data: { users, next: found.length > pageSize ? (users.at(-1)?.id ?? null) : null } };
    },
  });
}
