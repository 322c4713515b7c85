// DELETE /api/auth/sessions/{id}: ends one of the caller's sessions.
import type { AuthDeps } from '../../../auth/deps.ts';
import { endSession } from '../../../auth/end-session.ts';
import { Failure } from '../../../kernel/failure.ts';
import type { CookieWriter } from '../../interface/cookies.ts';
import { defineRoute } from '../../interface/route.ts';
import { object, text } from '../../interface/schema.ts';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

export function endSessionRoute(deps: AuthDeps, cookies: CookieWriter) {
  return defineRoute({
    summary: 'End one of my sessions',
    success: 'SESSION_ENDED',
    failures: ['NOT_FOUND'],
    params: object({ id: text() }),
    handle: async ({ params, caller }) => {
      if (!uuid.test(params.id)) throw new Failure('NOT_FOUND');
      await endSession(deps, { userId: caller.userId, sessionId: params.id });
      return params.id === caller.sessionId ? { data: null, cookies: cookies.clear() } : { data: null };
    },
  });
}
