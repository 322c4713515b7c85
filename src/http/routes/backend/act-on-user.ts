// POST /api/service/users/{id}/block, …/unblock, DELETE /api/service/users/{id}: what the back end can do to a user.

import { actOnUser } from '../../../auth/directory/act-on-user.ts';
import { parseUserId } from '../../../auth/directory/user-directory.ts';
import { backendAct } from '../../../backend/backend-act.ts';
import type { BackendDeps } from '../../../backend/deps.ts';
import { removeUser } from '../../../support/users/remove-user.ts';
import { defineRoute } from '../../interface/route.ts';
import { integer, object } from '../../interface/schema.ts';
import { reasonBody, userParams } from './user-fields.ts';

export function backendBlockRoute(deps: BackendDeps, act: 'block' | 'unblock') {
  const words = {
    block: { summary: 'Block a user', description: 'Ends all sessions. Blocking twice is the same as once.' },
    unblock: { summary: 'Unblock a user', description: 'The user may sign in again.' },
  };
  return defineRoute({
    ...words[act],
    success: 'SERVICE_ACTED',
    failures: ['NOT_FOUND'],
    params: userParams,
    takesAnyId: true,
    body: reasonBody,
    bodyOptional: true,
    data: object({ endedSessions: integer() }),
    handle: async ({ params, body, backend }) => {
      const userId = parseUserId(params.id);
      return { data: await actOnUser(deps, { userId, act, by: backendAct(backend, body.reason) }) };
    },
  });
}

export function backendDeleteUserRoute(deps: BackendDeps) {
  return defineRoute({
    summary: 'Delete a user and all their data',
    description: 'As if the user deleted the account: sessions, links and files go too.',
    success: 'SERVICE_ACTED',
    failures: ['NOT_FOUND'],
    params: userParams,
    takesAnyId: true,
    data: object({ endedSessions: integer(), deletedFiles: integer() }),
    handle: async ({ params, backend }) => ({
      data: await removeUser(deps, { userId: parseUserId(params.id), by: backendAct(backend) }),
    }),
  });
}
