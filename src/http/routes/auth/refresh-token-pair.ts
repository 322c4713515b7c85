// POST /api/auth/refresh-token: exchanges the refresh token in the header or cookie RT for a new token pair.
import type { AuthDeps } from '../../../auth/deps.ts';
import { refreshTokenPair } from '../../../auth/refresh-token-pair.ts';
import { Failure } from '../../../kernel/failure.ts';
import type { CookieWriter } from '../../interface/cookies.ts';
import { readRefreshHeader } from '../../interface/refresh-header.ts';
import { defineRoute } from '../../interface/route.ts';
import { tokenPair, tokenPairExample } from '../fields.ts';
import { pairCookies, tokenAnswer } from './token-answer.ts';

export function refreshTokenPairRoute(deps: AuthDeps, cookies: CookieWriter) {
  return defineRoute({
    summary: 'Renew the token pair',
    description:
      'Takes the refresh token from the header RT (with or without “Bearer ”) or from the cookie RT. The header wins. For a short time the previous token returns the same new pair, so a client that lost the response can repeat the call. An older token, or the previous one from another client (other User-Agent and other network), ends the session.',
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
    cookies: pairCookies,
    handle: async (call) => {
      const token = readRefreshHeader(call.header('rt')) ?? call.cookie('RT');
      if (token === undefined) throw new Failure('REFRESH_TOKEN_MISSING');
      return tokenAnswer(cookies, await refreshTokenPair(deps, { token, userAgent: call.userAgent, ip: call.ip }));
    },
  });
}
