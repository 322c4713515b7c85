// POST /api/auth/phone/send/otp: sends a one-time code to a phone number.

import { sendPhoneOtp } from '../../../../auth/codes/send-phone-otp.ts';
import type { AuthDeps } from '../../../../auth/deps.ts';
import { askAnswer } from '../../../interface/ask-token-header.ts';
import type { CookieWriter } from '../../../interface/cookies.ts';
import { defineRoute } from '../../../interface/route.ts';
import { object } from '../../../interface/schema.ts';
import { phoneField } from '../../fields.ts';

export function sendPhoneOtpRoute(deps: AuthDeps, cookies: CookieWriter) {
  return defineRoute({
    summary: 'Send a one-time code by SMS',
    description:
      'The response is the same for known and new numbers. A repeated call sends the same code again while the code is valid. The response sets a cookie (for apps the header ask-token, if the request has one). At sign-in it proves that the caller asked for the code, so that other clients cannot use up the caller’s attempts.',
    askToken: 'given',
    success: 'OTP_SENT',
    failures: ['PHONE_INVALID', 'PHONE_NOT_SUPPORTED', 'OTP_RESEND_TOO_SOON', 'OTP_SEND_LIMIT', 'SMS_SUSPENDED'],
    body: object({ recipient: phoneField('Phone number in international format with a leading plus') }),
    cookies: ['ask'],
    handle: async (call) => {
      const { body, captchaToken, ip, language } = call;
      const asked = await sendPhoneOtp(deps, { recipient: body.recipient, captchaToken, ip, language });
      return askAnswer(cookies, asked, call);
    },
  });
}
