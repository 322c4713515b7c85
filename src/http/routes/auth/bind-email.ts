// PUT /api/auth/email/add: confirms an e-mail address with its code and binds it to the caller.
import { bindEmail } from '../../../auth/bind-email.ts';
import type { AuthDeps } from '../../../auth/deps.ts';
import { readAskToken } from '../../interface/ask-token-header.ts';
import { defineRoute } from '../../interface/route.ts';
import { object } from '../../interface/schema.ts';
import { emailField, otpField } from '../fields.ts';

export function bindEmailRoute(deps: AuthDeps) {
  return defineRoute({
    summary: 'Bind an e-mail address',
    description:
      'Replaces an e-mail address that was bound before. The old e-mail address gets a notice. A repeated call with the same e-mail address succeeds.',
    success: 'EMAIL_BOUND',
    failures: ['EMAIL_INVALID', 'OTP_INVALID', 'OTP_EXPIRED', 'OTP_ATTEMPTS_EXCEEDED', 'EMAIL_TAKEN'],
    body: object({ email: emailField('E-mail address to bind'), otp: otpField }),
    askToken: 'taken',
    handle: async (call) => {
      const { body, caller, language, ip } = call;
      const { email, otp } = body;
      await bindEmail(deps, { userId: caller.userId, email, otp, askToken: readAskToken(call), ip, language });
      return { data: null };
    },
  });
}
