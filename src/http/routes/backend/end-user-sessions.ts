// POST /api/service/users/{id}/sessions/end: ends one session of a user, or all.

import { backendAct } from '../../../backend/backend-act.ts';
import type { BackendDeps } from '../../../backend/deps.ts';
import { endUserSessions } from '../../../backend/end-user-sessions.ts';
import { defineRoute } from '../../interface/route.ts';
import { integer, object, text } from '../../interface/schema.ts';
import { userParams } from './user-fields.ts';

export function backendEndSessionsRoute(deps: BackendDeps) {
  return defineRoute({
    summary: 'End sessions of a user',
    description: 'One session, or all if no session is named. A session that has ended already counts as none.',
    success: 'SERVICE_ACTED',
    failures: ['NOT_FOUND'],
    params: userParams,
    takesAnyId: true,
    body: object({}, { sessionId: text({ maxLength: 64 }) }),
    bodyOptional: true,
    data: object({ ended: integer() }),
    handle: async ({ params: { id: userId }, body: { sessionId }, backend }) => ({
      data: await endUserSessions(deps, { userId, sessionId, by: backendAct(backend) }),
    }),
  });
}
