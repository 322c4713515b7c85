// POST /api/auth/logout: ends this session, the other sessions or all sessions.
import type { AuthDeps } from '../../../../auth/deps.ts';
import { signOut } from '../../../../auth/sessions/sign-out.ts';
import type { CookieWriter } from '../../../interface/cookies.ts';
import { defineRoute } from '../../../interface/route.ts';
import { object, oneOf } from '../../../interface/schema.ts';

const scopes = ['local', 'others', 'global'] as const;

export function signOutRoute(deps: AuthDeps, cookies: CookieWriter) {
  return defineRoute({
    summary: 'Sign out',
    description:
      'scope: local (this session, the default), others (all other sessions) or global (all sessions). Access tokens of an ended session stop working at once.',
    success: 'LOGGED_OUT',
    failures: [],
    body: object({}, { scope: oneOf(scopes) }),
    bodyOptional: true,
    handle: async ({ body, caller }) => {
      const scope = body.scope ?? 'local';
      await signOut(deps, { userId: caller.userId, sessionId: caller.sessionId, scope });
      return scope === 'others' ? { data: null } : { data: null, cookies: cookies.clear() };
    },
  });
}
