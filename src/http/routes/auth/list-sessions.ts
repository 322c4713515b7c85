// GET /api/auth/sessions: the caller's sessions.
import type { AuthDeps } from '../../../auth/deps.ts';
import { defineRoute } from '../../interface/route.ts';
import { flag, list, nullable, object, text } from '../../interface/schema.ts';
import { isoTime } from '../fields.ts';

export function listSessionsRoute({ sessions, clock }: AuthDeps) {
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
