// Guard: the caller is the browser in which the user signed in to this service. The cookie SSO alone says so, never an access token.

import { readSingleSignOn } from '../../apps/single-sign-on.ts';
import type { SessionId } from '../../auth/sessions/session-id.ts';
import type { Secrets } from '../../kernel/crypto/secrets.ts';
import { Failure } from '../../kernel/failure.ts';
import { readCookie } from '../interface/cookies.ts';
import type { Caller } from '../interface/route.ts';
import type { HttpRequest } from '../server/request.ts';

/** Refuses a request without a caller too, so that a route cannot have this guard alone. */
export type BrowserGuard = (request: Pick<HttpRequest, 'headers'>, caller: Caller | undefined) => void;

/**
 * Both cookies must be of the same session. An access token in a header, or in a cookie without SSO, may have been stolen: it is not
 * enough for what outlives it.
 */
export function createBrowserGuard(secrets: Secrets): BrowserGuard {
  return (request, caller) => {
    const isPage = caller?.via === 'cookie' && findBrowserSession(secrets, request) === caller.sessionId;
    if (!isPage) throw new Failure('BROWSER_SESSION_REQUIRED');
  };
}

/** The session of this service that the browser has. Undefined if it has none. Only the store knows whether the session is alive. */
export function findBrowserSession(
  secrets: Secrets,
  { headers: { cookie } }: Pick<HttpRequest, 'headers'>,
): SessionId | undefined {
  const text = readCookie(cookie, 'SSO');
  return text === undefined ? undefined : readSingleSignOn(secrets, text);
}
