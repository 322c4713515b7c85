// POST /api/auth/proof: proves the caller again with a code, and answers the next token pair of the same session.
import type { AuthDeps } from '../../../../auth/deps.ts';
import { proveSession } from '../../../../auth/sessions/prove-session.ts';
import { readAskToken } from '../../../interface/ask-token-header.ts';
import type { CookieWriter } from '../../../interface/cookies.ts';
import { readDeviceToken } from '../../../interface/device-token-header.ts';
import { readRefreshHeader } from '../../../interface/refresh-header.ts';
import { defineRoute } from '../../../interface/route.ts';
import { object } from '../../../interface/schema.ts';
import { otpField, tokenPair, tokenPairExample } from '../../fields.ts';
import { pairCookies, tokenAnswer } from '../tokens/token-answer.ts';

export function proveSessionRoute(deps: AuthDeps, cookies: CookieWriter) {
  return defineRoute({
    summary: 'Prove my session again with a code',
    description:
      'Takes the code from POST /api/auth/proof/send. The new access token counts as a recent sign-in. With the refresh token in the header RT or the cookie RT, the session continues as after a refresh, and the previous refresh token keeps its grace period. Without one, the session continues with a new refresh token, and the previous one is refused.',
    success: 'SESSION_PROVED',
    failures: [
      'OTP_INVALID',
      'OTP_EXPIRED',
      'OTP_ATTEMPTS_EXCEEDED',
      'REFRESH_TOKEN_INVALID',
      'REFRESH_TOKEN_EXPIRED',
      'REFRESH_TOKEN_REUSED',
    ],
    body: object({ otp: otpField }),
    data: tokenPair,
    example: tokenPairExample,
    askToken: 'taken',
    deviceToken: 'taken',
    cookies: pairCookies,
    handle: async (call) => {
      const { body, caller, userAgent, ip } = call;
      const { userId, sessionId } = caller;
      const refreshToken = readRefreshHeader(call.header('rt')) ?? call.cookie('RT');
      const code = { otp: body.otp, askToken: readAskToken(call), deviceToken: readDeviceToken(call), ip };
      return tokenAnswer(cookies, await proveSession(deps, { ...code, userId, sessionId, refreshToken, userAgent }));
    },
  });
}
