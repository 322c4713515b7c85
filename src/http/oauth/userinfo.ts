// GET and POST /oauth/userinfo: what an app may know of the user, by its access token.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { userClaims } from '../../apps/id-token.ts';
import { Failure } from '../../kernel/failure.ts';
import { bearerToken } from '../guards/access.ts';
import { jsonType } from '../interface/envelope.ts';
import { paths } from '../interface/paths.ts';
import { formOf } from './client-authentication.ts';
import { OAuthError } from './oauth-error.ts';
import type { OAuthParts } from './oauth-parts.ts';

export function registerUserinfo(server: FastifyInstance, parts: OAuthParts): void {
  const handler = async (request: FastifyRequest, reply: FastifyReply) =>
    reply.type(jsonType).send(JSON.stringify(await describeUser(parts, request)));
  server.get(paths.userinfo, { config: { isCountedByKey: true } }, handler);
  server.post(paths.userinfo, { config: { takesForm: true, isCountedByKey: true } }, handler);
}

async function describeUser(parts: OAuthParts, request: FastifyRequest) {
  const { deps } = parts;
  const { userId, app } = await checkAndCount(parts, request);
  // A token of this service itself is not for apps.
  if (app === undefined || !app.scopes.includes('openid')) throw insufficient();
  const user = await deps.users.findUser(userId);
  if (user === undefined) throw new Failure('SESSION_REVOKED');
  return { sub: userId, ...userClaims({ userId, phone: user.phone, email: user.email, scopes: app.scopes }) };
}

/**
 * The server of an app asks about all of its users from one address. So a token of an app with a secret counts for the app, apart from
 * its calls at the token endpoint: a token that leaks must not use those up.
 */
async function checkAndCount({ deps, checkAccess, countApp, countAddress }: OAuthParts, request: FastifyRequest) {
  let appId: string | undefined;
  try {
    const claims = await checkAccess(readToken(request));
    const app = claims.app && deps.apps.find(claims.app.id);
    if (app?.secretHash !== undefined) appId = app.id;
    return claims;
  } finally {
    if (appId === undefined) countAddress(request.clientAddress);
    else countApp(`${appId} userinfo`);
  }
}

/** RFC 6750 section 2: in the header, or in the form of a POST, and not in both. Never in the address, and never in a cookie. */
function readToken(request: FastifyRequest): string {
  const inHeader = bearerToken(request.headers.authorization);
  const form = formOf(request);
  const inForm = form.get('access_token');
  if (form.isRepeated('access_token') || (inHeader !== undefined && inForm !== undefined))
    throw new OAuthError('invalid_request', 'Send the access token once.');
  const token = inHeader ?? inForm;
  if (token === undefined) throw new Failure('ACCESS_TOKEN_MISSING');
  return token;
}

function insufficient(): OAuthError {
  const headers = { 'www-authenticate': 'Bearer realm="gatehouse", error="insufficient_scope", scope="openid"' };
  return new OAuthError('insufficient_scope', 'This needs the access token of an app with the scope openid.', {
    status: 403,
    headers,
  });
}
