// DELETE /api/auth/phone/change: cancels the scheduled change of the caller's phone number.

import type { AuthDeps } from '../../../../auth/deps.ts';
import { cancelPhoneChange } from '../../../../auth/identity/cancel-phone-change.ts';
import { defineRoute } from '../../../interface/route.ts';

export function cancelPhoneChangeRoute(deps: AuthDeps) {
  return defineRoute({
    summary: 'Cancel the scheduled change of my phone number',
    description:
      'The account keeps its number. The number and the e-mail address get a notice. It needs no recent sign-in, and succeeds if no change is scheduled.',
    success: 'PHONE_CHANGE_CANCELLED',
    failures: [],
    handle: async ({ caller, language }) => {
      await cancelPhoneChange(deps, { ...caller, language });
      return { data: null };
    },
  });
}
