// GET /api/service/users: all users, page by page.
import { backendView } from '../../../auth/directory/user-views.ts';
import type { BackendDeps } from '../../../backend/deps.ts';
import { listBackendUsers } from '../../../backend/list-backend-users.ts';
import { defineRoute } from '../../interface/route.ts';
import { list, nullable, object, text } from '../../interface/schema.ts';
import { pageQuery, readPage } from '../page-query.ts';
import { backendUser, backendUserExample } from '../user-schemas.ts';

export function backendListUsersRoute(deps: BackendDeps) {
  return defineRoute({
    summary: 'List all users',
    description: 'In the order in which they were added. “next” is the cursor of the next page, null on the last.',
    success: 'SERVICE_VIEW',
    failures: [],
    query: pageQuery,
    data: object({ users: list(backendUser), next: nullable(text()) }),
    example: { users: [backendUserExample], next: null },
    handle: async ({ query }) => {
      const { users, next } = await listBackendUsers(deps, readPage(query));
      return { data: { users: users.map(backendView), next } };
    },
  });
}
