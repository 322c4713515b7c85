// POST /api/admin/users/search: people by id, number, the end of a number or mail address. In the body, so that no log of a proxy holds it.

import { Failure } from '../../../kernel/failure.ts';
import type { SupportDeps } from '../../../support/deps.ts';
import { isUserId, parseUserQuery } from '../../../support/user-directory.ts';
import { defineRoute } from '../../interface/route.ts';
import { list, nullable, object, text } from '../../interface/schema.ts';
import { toUserRecord, userRecord } from './present.ts';

const pageSize = 25;

export function adminFindUsersRoute({ directory }: SupportDeps) {
  return defineRoute({
    summary: 'Find people',
    description:
      'By id, whole phone number, its last digits (at least three) or e-mail address; whoever came last where “who” is empty. Newest first, “next” goes on.',
    success: 'ADMIN_VIEW',
    failures: [],
    body: object({ who: text({ maxLength: 320 }) }, { cursor: text({ maxLength: 64 }) }),
    data: object({ users: list(userRecord), next: nullable(text()) }),
    handle: async ({ body: { who, cursor } }) => {
      if (cursor !== undefined && !isUserId(cursor)) throw new Failure('REQUEST_INVALID', { field: 'cursor' });
      const query = parseUserQuery(who, pageSize + 1);
      const found = await directory.searchUsers({ ...query, ...(cursor !== undefined && { before: cursor }) });
      const users = found.slice(0, pageSize).map((user) => toUserRecord(user));
      return { data: { users, next: found.length > pageSize ? (users.at(-1)?.id ?? null) : null } };
    },
  });
}
