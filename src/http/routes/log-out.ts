// POST /api/auth/logout: ends this session, the others, or all; clears the cookies.
import { Type } from 'typebox';
import type { AuthDeps } from '../../auth/deps.ts';
import { logOut } from '../../auth/log-out.ts';
import { Failure } from '../../kernel/failure.ts';
import type { CookieWriter } from '../cookies.ts';
import { defineRoute } from '../route.ts';

const scopes = ['local', 'others', 'global'] as const;

export function logOutRoute(deps: AuthDeps, cookies: CookieWriter) {
  return defineRoute({
    summary: 'Sign out',
    description:
      'scope: local (this session, the default), others, or global (all). Access tokens of an ended session stop working at once.',
    success: 'LOGGED_OUT',
    failures: [],
    body: Type.Object({
      scope: Type.Optional(Type.Union([Type.Literal('local'), Type.Literal('others'), Type.Literal('global')])),
    }),
    bodyOptional: true,
    handle: async ({ body, caller }) => {
      const scope = scopes.find((known) => known === (body?.scope ?? 'local'));
      if (scope === undefined) throw new Failure('REQUEST_INVALID', { field: 'scope' });
      await logOut(deps, { userId: caller.userId, sessionId: caller.sessionId, scope });
      return scope === 'others' ? { data: null } : { data: null, cookies: cookies.clear() };
    },
  });
}
