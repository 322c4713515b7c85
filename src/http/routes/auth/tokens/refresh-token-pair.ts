// POST /api/auth/refresh-token: exchanges the refresh token in the header or cookie RT for a new token pair.
import type { AuthDeps } from '../../../../auth/deps.ts';
import { refreshTokenPair } from '../../../../auth/tokens/refresh-token-pair.ts';
import { Failure } from '../../../../kernel/failure.ts';
import type { CookieWriter } from '../../../interface/cookies.ts';
import { readDeviceToken } from '../../../interface/device-token-header.ts';
import { readRefreshHeader } from '../../../interface/refresh-header.ts';
import { defineRoute } from '../../../interface/route.ts';
import { tokenPair, tokenPairExample } from '../../fields.ts';
import { pairCookies, tokenAnswer } from './token-answer.ts';

export function refreshTokenPairRoute(deps: AuthDeps, cookies: CookieWriter) {
  return defineRoute({
    summary: 'Renew the token pair',
    description:
      'Takes the refresh token from the header RT (with or without “Bearer ”) or from the cookie RT. The header wins. If the response is lost, repeat the call with the same token: as long as the new pair was never used, it is returned again, for a short time (REFRESH_TOKEN_GRACE) to every client that is not clearly another one (other User-Agent and other network), later to the same device only: the one with the same device token (cookie DV or header device-token), or with the same User-Agent and network. An app that keeps its tokens itself sends the header device-token with every call. A session may need the later repetition for three different renewals in 24 hours. An older token, or a repetition by another device, ends the session.',
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
    deviceToken: 'taken',
    cookies: pairCookies,
    handle: async (call) => {
      const token = readRefreshHeader(call.header('rt')) ?? call.cookie('RT');
      if (token === undefined) throw new Failure('REFRESH_TOKEN_MISSING');
      const { userAgent, ip } = call;
      const deviceToken = readDeviceToken(call);
      return tokenAnswer(cookies, await refreshTokenPair(deps, { token, deviceToken, userAgent, ip }));
    },
  });
}
