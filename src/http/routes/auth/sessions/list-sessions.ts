// GET /api/auth/sessions: the caller's sessions.
import type { AppDeps } from '../../../../apps/deps.ts';
import { defineRoute } from '../../../interface/route.ts';
import { flag, list, nullable, object, text } from '../../../interface/schema.ts';
import { isoTime } from '../../fields.ts';
import { sessionApp, toSessionApp } from '../../session-app.ts';

export function listSessionsRoute({ sessions, clock, apps }: AppDeps) {
  return defineRoute({
    summary: 'List my sessions',
    success: 'SESSIONS',
    failures: [],
    data: object({
      sessions: list(
        object({
          id: text({ format: 'uuid' }),
          createdAt: isoTime,
          lastUsedAt: isoTime,
          userAgent: nullable(text()),
          current: flag(),
          app: sessionApp,
        }),
      ),
    }),
    handle: async ({ caller }) => {
      const list = await sessions.listSessions({ userId: caller.userId, now: clock.now() });
      const shown = list.map(({ id, createdAt, lastUsedAt, userAgent = null, appId }) => ({
        id,
        createdAt: new Date(createdAt).toISOString(),
        lastUsedAt: new Date(lastUsedAt).toISOString(),
        userAgent,
        current: id === caller.sessionId,
        app: toSessionApp(apps, appId),
      }));
      return { data: { sessions: shown } };
    },
  });
}
