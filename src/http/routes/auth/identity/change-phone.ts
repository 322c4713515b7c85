// PUT /api/auth/phone/change: confirms a number with its code and makes it the caller's, at once or after the wait.

import type { AuthDeps } from '../../../../auth/deps.ts';
import { accountView } from '../../../../auth/directory/user-views.ts';
import { changePhone } from '../../../../auth/identity/change-phone.ts';
import { readAskToken } from '../../../interface/ask-token-header.ts';
import type { CookieWriter } from '../../../interface/cookies.ts';
import { deviceAnswer, readDeviceToken } from '../../../interface/device-token-header.ts';
import { defineRoute } from '../../../interface/route.ts';
import { object } from '../../../interface/schema.ts';
import { otpField, phoneField } from '../../fields.ts';
import { account, accountExample } from '../../user-schemas.ts';
import { presentScheduled, scheduledPhone, scheduledPhoneExample } from './scheduled-phone.ts';

export function changePhoneRoute(deps: AuthDeps, cookies: CookieWriter) {
  return defineRoute({
    summary: 'Change my phone number',
    description:
      'Takes effect at once if the caller was last proved by SMS, or has no number: every other session ends. Otherwise it takes effect after a wait, in which the user can cancel it. The old number and the e-mail address get a link that undoes or cancels the change. The caller’s own number changes nothing. A fourth scheduled change within 24 hours answers RATE_LIMITED and uses up the code.',
    success: 'PHONE_CHANGED',
    failures: [
      'PHONE_INVALID',
      'PHONE_NOT_SUPPORTED',
      'OTP_INVALID',
      'OTP_EXPIRED',
      'OTP_ATTEMPTS_EXCEEDED',
      'PHONE_TAKEN',
    ],
    body: object({ phone: phoneField('The new phone number'), otp: otpField }),
    data: account,
    example: accountExample,
    other: { status: 202, success: 'PHONE_CHANGE_SCHEDULED', data: scheduledPhone, example: scheduledPhoneExample },
    askToken: 'taken',
    deviceToken: 'renewed',
    cookies: ['DV'],
    handle: async (call) => {
      const { body, language, ip } = call;
      const { userId, sessionId } = call.caller;
      const tokens = { askToken: readAskToken(call), deviceToken: readDeviceToken(call) };
      const changed = await changePhone(deps, { ...body, userId, sessionId, ...tokens, ip, language });
      if (changed.kind === 'scheduled') return { data: presentScheduled(changed), isSecond: true };
      const { user, device } = changed;
      return { data: accountView(user), ...(device !== undefined && deviceAnswer(cookies, device)) };
    },
  });
}
