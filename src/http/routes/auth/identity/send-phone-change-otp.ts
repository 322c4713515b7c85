// POST /api/auth/phone/change/send: sends a code to the number that the caller wants to have. The answer does not reveal who has it.
import type { AuthDeps } from '../../../../auth/deps.ts';
import { sendPhoneChangeOtp } from '../../../../auth/identity/send-phone-change-otp.ts';
import { askAnswer } from '../../../interface/ask-token-header.ts';
import type { CookieWriter } from '../../../interface/cookies.ts';
import { defineRoute } from '../../../interface/route.ts';
import { object } from '../../../interface/schema.ts';
import { phoneField } from '../../fields.ts';

export function sendPhoneChangeOtpRoute(deps: AuthDeps, cookies: CookieWriter) {
  return defineRoute({
    summary: 'Send a code for changing my phone number',
    description:
      'The code goes to the new number. The response is the same whether the number is free, taken or already the caller’s.',
    askToken: 'given',
    success: 'OTP_SENT',
    failures: ['PHONE_INVALID', 'PHONE_NOT_SUPPORTED', 'OTP_RESEND_TOO_SOON', 'OTP_SEND_LIMIT', 'SMS_SUSPENDED'],
    body: object({ recipient: phoneField('The new phone number') }),
    cookies: ['ask'],
    handle: async (call) => {
      const { body, captchaToken, ip, language } = call;
      const { recipient } = body;
      const { userId } = call.caller;
      const asked = await sendPhoneChangeOtp(deps, { userId, recipient, captchaToken, ip, language });
      return askAnswer(cookies, asked, call);
    },
  });
}
