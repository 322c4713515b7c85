// GET and POST /oauth/userinfo: what an app may know of the user, by its access token.
import { claimsView } from '../../auth/directory/user-views.ts';
import { Failure } from '../../kernel/failure.ts';
import { bearerToken } from '../guards/access.ts';
import { jsonType } from '../interface/envelope.ts';
import { paths } from '../interface/paths.ts';
import type { HttpReply } from '../server/reply.ts';
import type { HttpRequest } from '../server/request.ts';
import type { Routes } from '../server/server.ts';
import { formOf } from './client-authentication.ts';
import { OAuthError } from './oauth-error.ts';
import type { OAuthParts } from './oauth-parts.ts';

export function registerUserinfo(server: Routes, parts: OAuthParts): void {
  const handle = async (request: HttpRequest, reply: HttpReply) =>
    reply.type(jsonType).send(JSON.stringify(await describeUser(parts, request)));
  server.add({ method: 'GET', path: paths.userinfo, rules: { isCountedByKey: true }, handle });
  server.add({ method: 'POST', path: paths.userinfo, rules: { takesForm: true, isCountedByKey: true }, handle });
}

async function describeUser(parts: OAuthParts, request: HttpRequest) {
  const { deps } = parts;
  const { userId, app } = await checkAndCount(parts, request);
  // A token of this service itself is not for apps.
  if (app === undefined || !app.scopes.includes('openid')) throw insufficient();
  const user = await deps.users.findUser(userId);
  if (user === undefined) throw new Failure('SESSION_REVOKED');
  return { sub: userId, ...claimsView(user, (scope) => app.scopes.includes(scope)) };
}

/**
 * The server of an app asks about all of its users from one address. So a token of an app with a secret counts for the app, apart from
 * its calls at the token endpoint: a token that leaks must not use those up.
 */
async function checkAndCount({ deps, checkAccess, countApp, countAddress }: OAuthParts, request: HttpRequest) {
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
function readToken(request: HttpRequest): string {
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
