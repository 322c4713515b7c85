// POST /api/auth/phone/send/otp: sends a one-time code to a phone number.
import type { AuthDeps } from '../../auth/deps.ts';
import { sendPhoneOtp } from '../../auth/send-phone-otp.ts';
import { defineRoute } from '../route.ts';
import { object } from '../schema.ts';
import { phoneField } from './fields.ts';

export function sendPhoneOtpRoute(deps: AuthDeps) {
  return defineRoute({
    summary: 'Send a one-time code by SMS',
    description:
      'The answer is the same for known and new numbers. Asking again within the code’s life repeats the same code.',
    success: 'OTP_SENT',
    failures: ['PHONE_INVALID', 'PHONE_NOT_SUPPORTED', 'OTP_RESEND_TOO_SOON', 'OTP_SEND_LIMIT', 'SMS_SUSPENDED'],
    body: object({ recipient: phoneField('Phone number in international format with a leading plus') }),
    handle: async ({ body, captchaToken, ip, language }) => {
      await sendPhoneOtp(deps, { recipient: body.recipient, captchaToken, ip, language });
      return { data: null };
    },
  });
}
