// Finds the session of this service that a browser has: by the cookie SSO, or by the access token in the cookie JWT.
import { readSingleSignOn } from '../../apps/single-sign-on.ts';
import { Failure } from '../../kernel/failure.ts';
import { readCookie } from '../interface/cookies.ts';
import type { HttpRequest } from '../server/request.ts';
import type { OAuthParts } from './oauth-parts.ts';

/** Undefined if the browser has none. The store knows whether the session is alive. The token of an app is nobody's browser. */
export async function findSignedInSession(
  { deps: { secrets }, checkAccess }: Pick<OAuthParts, 'deps' | 'checkAccess'>,
  { headers: { cookie } }: HttpRequest,
): Promise<string | undefined> {
  const sealed = readCookie(cookie, 'SSO');
  const sessionId = sealed === undefined ? undefined : readSingleSignOn(secrets, sealed);
  if (sessionId !== undefined) return sessionId;
  const token = readCookie(cookie, 'JWT');
  if (token === undefined) return undefined;
  const claims = await Promise.try(checkAccess, token).catch(ignoreFailure);
  return claims?.app === undefined ? claims?.sessionId : undefined;
}

/** An expired token is no error here: the page tries to renew it. */
function ignoreFailure(error: unknown): undefined {
  if (error instanceof Failure && error.code !== 'SERVICE_UNAVAILABLE') return undefined;
  throw error;
}
