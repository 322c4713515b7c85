// Guard: requires a valid access token from the Authorization header or the JWT cookie. The header wins.
// The token of an app also needs the scope of the call.
import type { AppScope } from '../../apps/clients/app.ts';
import { type AccessClaims, longestAccessToken } from '../../auth/tokens/access-token.ts';
import type { AccessCheck } from '../../auth/tokens/check-access-token.ts';
import { Failure } from '../../kernel/failure.ts';
import { readCookie } from '../interface/cookies.ts';
import type { Caller } from '../interface/route.ts';
import type { HttpRequest } from '../server/request.ts';

/** Returns a promise only if the token is to be verified. */
export function createAccessGuard(check: AccessCheck) {
  return (request: HttpRequest, appScope?: AppScope): Caller | Promise<Caller> => {
    const bearer = bearerToken(request.headers.authorization);
    const token = bearer ?? readCookie(request.headers.cookie, 'JWT');
    if (token === undefined) throw new Failure('ACCESS_TOKEN_MISSING');
    const via = bearer === undefined ? 'cookie' : 'header';
    const claims = check(token);
    return claims instanceof Promise
      ? claims.then((verified) => callerOf(verified, via, appScope))
      : callerOf(claims, via, appScope);
  };
}

function callerOf(
  { userId, sessionId, provedAt, app }: AccessClaims,
  via: Caller['via'],
  appScope: AppScope | undefined,
): Caller {
  // Without a scope no app may call: a line of the table says so, not the absence of a rule.
  if (app !== undefined && (appScope === undefined || !app.scopes.includes(appScope)))
    throw new Failure('APP_SCOPE_MISSING');
  return { userId, sessionId, provedAt, via };
}

/** Undefined for a scheme other than Bearer. An empty or invalid token is refused even if there is a valid cookie. */
export function bearerToken(header: string | undefined): string | undefined {
  if (header === undefined) return undefined;
  const scheme = header.slice(0, 7).toLowerCase();
  if (scheme !== 'bearer ' && scheme !== 'bearer') return undefined;
  // A token that is too long is never valid, so it is not read.
  return header.length > longestAccessToken * 2 ? '' : header.slice(7).trim();
}
