// PUT /api/auth/email/add: confirms an e-mail address with its code and binds it to the caller.

import type { AuthDeps } from '../../../../auth/deps.ts';
import { bindEmail } from '../../../../auth/identity/bind-email.ts';
import { readAskToken } from '../../../interface/ask-token-header.ts';
import { defineRoute } from '../../../interface/route.ts';
import { object } from '../../../interface/schema.ts';
import { emailField, otpField } from '../../fields.ts';

export function bindEmailRoute(deps: AuthDeps) {
  return defineRoute({
    summary: 'Bind an e-mail address',
    description:
      'Replaces an e-mail address that was bound before. The old e-mail address gets a notice. A repeated call with the same e-mail address succeeds. Replacing an e-mail address needs a recent sign-in; the first one does not.',
    success: 'EMAIL_BOUND',
    failures: [
      'EMAIL_INVALID',
      'OTP_INVALID',
      'OTP_EXPIRED',
      'OTP_ATTEMPTS_EXCEEDED',
      'RECENT_SIGN_IN_REQUIRED',
      'EMAIL_TAKEN',
    ],
    body: object({ email: emailField('E-mail address to bind'), otp: otpField }),
    askToken: 'taken',
    handle: async (call) => {
      const { body, language, ip } = call;
      const { userId, provedAt } = call.caller;
      await bindEmail(deps, { ...body, userId, provedAt, askToken: readAskToken(call), ip, language });
      return { data: null };
    },
  });
}
