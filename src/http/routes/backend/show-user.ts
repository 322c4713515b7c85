// GET /api/service/users/{id}: a user, with everything that the app stores with them.
import type { BackendDeps } from '../../../backend/deps.ts';
import { findBackendUser } from '../../../backend/find-backend-user.ts';
import { defineRoute } from '../../interface/route.ts';
import { userParams } from './user-fields.ts';
import { toUserRecord, userRecord, userRecordExample } from './user-record.ts';

export function backendShowUserRoute(deps: BackendDeps) {
  return defineRoute({
    summary: 'Show a user',
    success: 'SERVICE_VIEW',
    failures: ['NOT_FOUND'],
    params: userParams,
    takesAnyId: true,
    data: userRecord,
    example: userRecordExample,
    handle: async ({ params: { id } }) => ({ data: toUserRecord(await findBackendUser(deps, { id })) }),
  });
}
