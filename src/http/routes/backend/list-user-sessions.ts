// GET /api/service/users/{id}/sessions: the active sessions of a user.
import type { AppList } from '../../../apps/clients/app.ts';
import type { BackendDeps } from '../../../backend/deps.ts';
import { listUserSessions } from '../../../backend/list-user-sessions.ts';
import { defineRoute } from '../../interface/route.ts';
import { list, nullable, object, text } from '../../interface/schema.ts';
import { sessionRecord, sessionRecordExample, toSessionRecord } from './session-record.ts';
import { userParams } from './user-fields.ts';

export function backendListSessionsRoute(deps: BackendDeps, apps: AppList) {
  return defineRoute({
    summary: 'List the sessions of a user',
    description: 'The active ones, most recently used first, all on one page.',
    success: 'SERVICE_VIEW',
    failures: ['NOT_FOUND'],
    params: userParams,
    takesAnyId: true,
    data: object({ sessions: list(sessionRecord), next: nullable(text({ description: 'Always null' })) }),
    example: { sessions: [sessionRecordExample], next: null },
    handle: async ({ params }) => {
      const sessions = await listUserSessions(deps, params.id);
      return { data: { sessions: sessions.map((session) => toSessionRecord(apps, session)), next: null } };
    },
  });
}
