// POST /api/auth/proof/send: sends a code to the caller's own phone or e-mail address.

import { proofWays, sendProofOtp } from '../../../../auth/codes/send-proof-otp.ts';
import type { AuthDeps } from '../../../../auth/deps.ts';
import { askAnswer } from '../../../interface/ask-token-header.ts';
import type { CookieWriter } from '../../../interface/cookies.ts';
import { defineRoute } from '../../../interface/route.ts';
import { object, oneOf } from '../../../interface/schema.ts';

export function sendProofOtpRoute(deps: AuthDeps, cookies: CookieWriter) {
  return defineRoute({
    summary: 'Send a code to my own phone or e-mail address',
    description:
      'The first step of proving a session again, after RECENT_SIGN_IN_REQUIRED. via: phone, or email if an e-mail address is bound; without one, email answers 400. The same limits apply as for a sign-in.',
    askToken: 'given',
    success: 'PROOF_OTP_SENT',
    failures: ['PHONE_NOT_SUPPORTED', 'OTP_RESEND_TOO_SOON', 'OTP_SEND_LIMIT', 'SMS_SUSPENDED'],
    body: object({ via: oneOf(proofWays) }),
    cookies: ['ask'],
    handle: async (call) => {
      const { body, caller, captchaToken, ip, language } = call;
      const asked = await sendProofOtp(deps, { userId: caller.userId, via: body.via, captchaToken, ip, language });
      return askAnswer(cookies, asked, call);
    },
  });
}
