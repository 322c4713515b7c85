// PATCH /api/service/users/{id}: changes what the app stores with a user.

import { backendView } from '../../../auth/directory/user-views.ts';
import { backendAct } from '../../../backend/backend-act.ts';
import { changeUserData } from '../../../backend/change-user-data.ts';
import type { BackendDeps } from '../../../backend/deps.ts';
import { largestUserDataBody } from '../../../backend/user-data.ts';
import { defineRoute } from '../../interface/route.ts';
import { backendUser, backendUserExample, userDataBody } from '../user-schemas.ts';
import { userParams } from './user-fields.ts';

export function changeUserDataRoute(deps: BackendDeps) {
  return defineRoute({
    summary: 'Change the external id, claims or metadata of a user',
    description:
      'A field replaces the whole value, null removes it, and a field that is left out stays. Claims: at most 1 KiB as JSON. Metadata: at most 4 KiB each.',
    success: 'SERVICE_ACTED',
    failures: ['NOT_FOUND', 'EXTERNAL_ID_TAKEN', 'USER_DATA_TOO_LARGE'],
    params: userParams,
    takesAnyId: true,
    maxBodyBytes: largestUserDataBody,
    body: userDataBody,
    data: backendUser,
    example: backendUserExample,
    handle: async ({ params: { id: userId }, body: given, backend }) => {
      const user = await changeUserData(deps, { userId, given, by: backendAct(backend) });
      return { data: backendView(user) };
    },
  });
}
