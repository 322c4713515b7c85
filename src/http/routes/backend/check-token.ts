// POST /api/service/tokens/check: whether an access token is valid now, and whose it is.
import { longestAccessToken } from '../../../auth/tokens/access-token.ts';
import type { AccessCheck } from '../../../auth/tokens/check-access-token.ts';
import { type CheckedToken, checkToken } from '../../../backend/check-token.ts';
import type { BackendDeps } from '../../../backend/deps.ts';
import { defineRoute } from '../../interface/route.ts';
import { anyObject, either, list, nullable, object, only, text } from '../../interface/schema.ts';
import { isoTime } from '../fields.ts';

export function backendCheckTokenRoute(deps: BackendDeps, checkAccess: AccessCheck) {
  return defineRoute({
    summary: 'Check an access token',
    description:
      'Asks the store for the session, so a sign-out or a block on any node is seen at once. A token that is not valid, for whatever reason, has only “active”: false.',
    success: 'SERVICE_VIEW',
    failures: [],
    body: object({ token: text({ maxLength: longestAccessToken, description: 'The access token (JWT)' }) }),
    data: either(
      object({
        active: only(true),
        sub: text({ format: 'uuid', description: 'User id' }),
        sid: text({ format: 'uuid', description: 'Session id' }),
        exp: isoTime,
        authTime: nullable(isoTime),
        amr: list(text()),
        clientId: nullable(text({ description: 'The app that the token was issued to; null for this service itself' })),
        scope: nullable(text({ description: 'The scopes of that app, separated by spaces' })),
        claims: anyObject({ description: 'The claims of the user as they are stored now' }),
      }),
      object({ active: only(false) }),
    ),
    example: {
      active: true,
      sub: '0192a6da-ce70-7c1e-9a53-4f0f5c0b2f11',
      sid: '0192a6db-1f2e-7d0a-8c51-7b1d4d0c9a01',
      exp: '2026-11-15T09:45:00.000Z',
      authTime: '2026-11-15T09:30:00.000Z',
      amr: ['otp', 'sms'],
      clientId: null,
      scope: null,
      claims: { plan: 'pro' },
    },
    handle: async ({ body }) => {
      const checked = await checkToken({ ...deps, checkAccess }, body.token);
      return { data: checked === undefined ? { active: false } : toAnswer(checked) };
    },
  });
}

function toAnswer({ userId, sessionId, expiresAt, provedAt, amr, app, claims }: CheckedToken) {
  return {
    active: true,
    sub: userId,
    sid: sessionId,
    exp: new Date(expiresAt).toISOString(),
    authTime: provedAt === undefined ? null : new Date(provedAt).toISOString(),
    amr,
    clientId: app?.id ?? null,
    scope: app?.scopes.join(' ') ?? null,
    claims,
  };
}
