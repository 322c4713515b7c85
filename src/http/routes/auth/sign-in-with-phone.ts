// POST /api/auth/phone/login: exchanges a phone number and its code for a token pair.
import type { AuthDeps } from '../../../auth/deps.ts';
import { signInWithPhone } from '../../../auth/sign-in-with-phone.ts';
import { readAskToken } from '../../interface/ask-token-header.ts';
import type { CookieWriter } from '../../interface/cookies.ts';
import { defineRoute } from '../../interface/route.ts';
import { object } from '../../interface/schema.ts';
import { otpField, phoneField, tokenPair, tokenPairExample } from '../fields.ts';
import { tokenAnswer } from './token-answer.ts';

export function signInWithPhoneRoute(deps: AuthDeps, cookies: CookieWriter) {
  return defineRoute({
    summary: 'Sign in with a phone number and a code',
    description: 'The first sign-in with a phone number creates the user. Also sets the cookies JWT and RT.',
    success: 'LOGGED_IN',
    failures: [
      'PHONE_INVALID',
      'PHONE_NOT_SUPPORTED',
      'OTP_INVALID',
      'OTP_EXPIRED',
      'OTP_ATTEMPTS_EXCEEDED',
      'USER_BLOCKED',
      'SIGNUP_CLOSED',
    ],
    body: object({ phone: phoneField('Phone number in international format with a leading plus'), otp: otpField }),
    data: tokenPair,
    example: tokenPairExample,
    askToken: 'taken',
    handle: async (call) => {
      const { body, userAgent, ip } = call;
      const { phone, otp } = body;
      return tokenAnswer(
        cookies,
        await signInWithPhone(deps, { phone, otp, askToken: readAskToken(call), userAgent, ip }),
      );
    },
  });
}
