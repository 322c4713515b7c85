// GET /api/service/users/{id}: a user, with everything that the app stores with them.
import { backendView } from '../../../auth/directory/user-views.ts';
import type { BackendDeps } from '../../../backend/deps.ts';
import { findBackendUser } from '../../../backend/find-backend-user.ts';
import { defineRoute } from '../../interface/route.ts';
import { backendUser, backendUserExample } from '../user-schemas.ts';
import { userParams } from './user-fields.ts';

export function backendShowUserRoute(deps: BackendDeps) {
  return defineRoute({
    summary: 'Show a user',
    success: 'SERVICE_VIEW',
    failures: ['NOT_FOUND'],
    params: userParams,
    takesAnyId: true,
    data: backendUser,
    example: backendUserExample,
    handle: async ({ params: { id } }) => ({ data: backendView(await findBackendUser(deps, { id })) }),
  });
}
