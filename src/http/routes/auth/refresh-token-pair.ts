// POST /api/auth/refresh-token: exchanges the refresh token of header or cookie RT for a new pair.
import type { AuthDeps } from '../../../auth/deps.ts';
import { refreshTokenPair } from '../../../auth/refresh-token-pair.ts';
import { Failure } from '../../../kernel/failure.ts';
import type { CookieWriter } from '../../interface/cookies.ts';
import { readRefreshHeader } from '../../interface/refresh-header.ts';
import { defineRoute } from '../../interface/route.ts';
import { tokenPair, tokenPairExample } from '../fields.ts';
import { tokenAnswer } from './token-answer.ts';

export function refreshTokenPairRoute(deps: AuthDeps, cookies: CookieWriter) {
  return defineRoute({
    summary: 'Renew the token pair',
    description:
      'Takes the refresh token from the header RT (bare, or after “Bearer ”) or the cookie RT; the header wins. The previous token gets the same new pair for a short while, so a lost answer can be repeated; an older one ends the session, and so does the previous one when another client (other User-Agent and other network) repeats it.',
    success: 'TOKENS_REFRESHED',
    failures: [
      'REFRESH_TOKEN_MISSING',
      'REFRESH_TOKEN_INVALID',
      'REFRESH_TOKEN_EXPIRED',
      'REFRESH_TOKEN_REUSED',
      'SESSION_REVOKED',
    ],
    data: tokenPair,
    example: tokenPairExample,
    handle: async (call) => {
      const token = readRefreshHeader(call.header('rt')) ?? call.cookie('RT');
      if (token === undefined) throw new Failure('REFRESH_TOKEN_MISSING');
      return tokenAnswer(cookies, await refreshTokenPair(deps, { token, userAgent: call.userAgent, ip: call.ip }));
    },
  });
}
