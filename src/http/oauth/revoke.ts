// POST /oauth/revoke (RFC 7009): an app gives up a token of its own, and with it the session. An unknown token is no error.
import type { FastifyInstance } from 'fastify';
import { revokeAppToken } from '../../apps/revoke-app-token.ts';
import { paths } from '../interface/paths.ts';
import { authenticateRequest } from './client-authentication.ts';
import { OAuthError } from './oauth-error.ts';
import type { OAuthParts } from './oauth-parts.ts';

export function registerRevoke(server: FastifyInstance, parts: OAuthParts): void {
  server.post(paths.revoke, { config: { takesForm: true, isCountedByKey: true } }, async (request, reply) => {
    const { app, form } = authenticateRequest(parts, request);
    const token = form.get('token');
    if (token === undefined) throw new OAuthError('invalid_request', 'token is missing.');
    await revokeAppToken({ ...parts.deps, checkAccess: parts.checkAccess }, { app, token });
    return reply.send();
  });
}
