// POST /api/auth/email/send/otp: sends a code for binding an e-mail address if it is available. The answer does not reveal this.
import type { AuthDeps } from '../../../../auth/deps.ts';
import { sendBindingOtp } from '../../../../auth/identity/send-binding-otp.ts';
import { askAnswer } from '../../../interface/ask-token-header.ts';
import type { CookieWriter } from '../../../interface/cookies.ts';
import { defineRoute } from '../../../interface/route.ts';
import { object } from '../../../interface/schema.ts';
import { emailField } from '../../fields.ts';

export function sendBindingOtpRoute(deps: AuthDeps, cookies: CookieWriter) {
  return defineRoute({
    summary: 'Send a code for binding an e-mail address',
    description:
      'The response is the same whether the e-mail address is free, taken or already bound to the caller. It needs a recent sign-in if an e-mail address is already bound to the caller.',
    askToken: 'given',
    success: 'BINDING_OTP_SENT',
    failures: ['EMAIL_INVALID', 'RECENT_SIGN_IN_REQUIRED', 'OTP_RESEND_TOO_SOON', 'OTP_SEND_LIMIT'],
    body: object({ recipient: emailField('E-mail address to bind') }),
    cookies: ['ask'],
    handle: async (call) => {
      const { body, captchaToken, ip, language } = call;
      const { userId, provedAt } = call.caller;
      const { recipient } = body;
      const asked = await sendBindingOtp(deps, { userId, provedAt, recipient, captchaToken, ip, language });
      return askAnswer(cookies, asked, call);
    },
  });
}
