// POST /api/auth/phone/login: exchanges a phone number and its code for a token pair.
import type { AuthDeps } from '../../../../auth/deps.ts';
import { signInWithPhone } from '../../../../auth/sign-in/sign-in-with-phone.ts';
import { readAskToken } from '../../../interface/ask-token-header.ts';
import type { CookieWriter } from '../../../interface/cookies.ts';
import { readDeviceToken } from '../../../interface/device-token-header.ts';
import { defineRoute } from '../../../interface/route.ts';
import { object } from '../../../interface/schema.ts';
import { otpField, phoneField, tokenPair, tokenPairExample } from '../../fields.ts';
import { signedInAnswer, signInCookies } from '../tokens/token-answer.ts';

export function signInWithPhoneRoute(deps: AuthDeps, cookies: CookieWriter) {
  return defineRoute({
    summary: 'Sign in with a phone number and a code',
    description:
      'The first sign-in with a phone number creates the user. Also sets the cookies JWT, RT and DV. DV (for apps the header device-token) marks the device as known to the user: wrong codes of other clients do not use up its attempts, and a sign-in on an unknown device is reported by e-mail. If the account of the number has an e-mail address and was not used for a long time, the correct code answers PHONE_NEEDS_PROOF with the header proof-ticket: the user signs in with a link, or starts a new account with the number.',
    success: 'LOGGED_IN',
    failures: [
      'PHONE_INVALID',
      'PHONE_NOT_SUPPORTED',
      'OTP_INVALID',
      'OTP_EXPIRED',
      'OTP_ATTEMPTS_EXCEEDED',
      'USER_BLOCKED',
      'SIGNUP_CLOSED',
      'PHONE_NEEDS_PROOF',
    ],
    body: object({ phone: phoneField('Phone number in international format with a leading plus'), otp: otpField }),
    data: tokenPair,
    example: tokenPairExample,
    askToken: 'taken',
    deviceToken: 'renewed',
    cookies: signInCookies,
    handle: async (call) => {
      const { body, userAgent, ip, language } = call;
      const [askToken, deviceToken] = [readAskToken(call), readDeviceToken(call)];
      const { phone, otp } = body;
      const signedIn = await signInWithPhone(deps, { phone, otp, askToken, deviceToken, userAgent, ip, language });
      return signedInAnswer(cookies, signedIn);
    },
  });
}
