// DELETE /api/auth/sessions/{id}: ends one of the caller's sessions.
import type { AuthDeps } from '../../../../auth/deps.ts';
import { endSession } from '../../../../auth/sessions/end-session.ts';
import { parseSessionId } from '../../../../auth/sessions/session-id.ts';
import { Failure } from '../../../../kernel/failure.ts';
import type { CookieWriter } from '../../../interface/cookies.ts';
import { defineRoute } from '../../../interface/route.ts';
import { object, text } from '../../../interface/schema.ts';

export function endSessionRoute(deps: AuthDeps, cookies: CookieWriter) {
  return defineRoute({
    summary: 'End one of my sessions',
    success: 'SESSION_ENDED',
    failures: ['NOT_FOUND'],
    params: object({ id: text() }),
    takesAnyId: true,
    handle: async ({ params, caller }) => {
      const sessionId = parseSessionId(params.id);
      if (sessionId === undefined) throw new Failure('NOT_FOUND');
      await endSession(deps, { userId: caller.userId, sessionId });
      return sessionId === caller.sessionId ? { data: null, cookies: cookies.clear() } : { data: null };
    },
  });
}
