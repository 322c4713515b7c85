// POST /oauth/revoke (RFC 7009): an app gives up a token of its own, and with it the session. An unknown token is no error.
import { revokeAppToken } from '../../apps/tokens/revoke-app-token.ts';
import { paths } from '../interface/paths.ts';
import type { Handler } from '../server/request.ts';
import type { Routes } from '../server/server.ts';
import { authenticateRequest } from './client-authentication.ts';
import { OAuthError } from './oauth-error.ts';
import type { OAuthParts } from './oauth-parts.ts';

export function registerRevoke(server: Routes, parts: OAuthParts): void {
  const handle: Handler = async (request, reply) => {
    const { app, form } = authenticateRequest(parts, request);
    const token = form.get('token');
    if (token === undefined) throw new OAuthError('invalid_request', 'token is missing.');
    await revokeAppToken({ ...parts.deps, checkAccess: parts.checkAccess }, { app, token });
    return reply.send();
  };
  server.add({ method: 'POST', path: paths.revoke, rules: { takesForm: true, isCountedByKey: true }, handle });
}
