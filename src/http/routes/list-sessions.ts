// GET /api/auth/sessions: where the person is signed in.
import { Type } from 'typebox';
import type { AuthDeps } from '../../auth/deps.ts';
import { defineRoute } from '../route.ts';
import { isoTime } from './fields.ts';

export function listSessionsRoute({ sessions, clock }: AuthDeps) {
  return defineRoute({
    summary: 'List my sessions',
    success: 'SESSIONS',
    failures: [],
    data: Type.Object({
      sessions: Type.Array(
        Type.Object({
          id: Type.String({ format: 'uuid' }),
          createdAt: isoTime,
          lastUsedAt: isoTime,
          userAgent: Type.Union([Type.String(), Type.Null()]),
          current: Type.Boolean(),
        }),
      ),
    }),
    handle: async ({ caller }) => {
      const list = await sessions.listSessions({ userId: caller.userId, now: clock.now() });
      const shown = list.map(({ id, createdAt, lastUsedAt, userAgent = null }) => ({
        id,
        createdAt: new Date(createdAt).toISOString(),
        lastUsedAt: new Date(lastUsedAt).toISOString(),
        userAgent,
        current: id === caller.sessionId,
      }));
      return { data: { sessions: shown } };
    },
  });
}
