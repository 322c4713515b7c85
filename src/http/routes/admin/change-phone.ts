// POST and DELETE /api/admin/users/{id}/phone-change, POST …/email/remove: staff help a user who lost the phone or the mailbox.

import type { SupportDeps } from '../../../support/deps.ts';
import { actOf } from '../../../support/staff/admin.ts';
import { cancelUserPhoneChange } from '../../../support/users/cancel-user-phone-change.ts';
import { changeUserPhone } from '../../../support/users/change-user-phone.ts';
import { removeUserEmail } from '../../../support/users/remove-user-email.ts';
import { defineRoute } from '../../interface/route.ts';
import { flag, object, text } from '../../interface/schema.ts';
import { phoneChangeRecord, reasonBody, reasonField, toPhoneChange, userIdOf, userParams } from './present.ts';

export function adminChangePhoneRoute(deps: SupportDeps) {
  return defineRoute({
    summary: 'Schedule a new phone number for a user',
    description:
      'The number changes after PHONE_RECOVERY_WAIT, never at once. The old number and the e-mail address get a notice with a link that cancels it, in the language of this request. It replaces a change that is scheduled already. A fourth within 24 hours, by the user or by staff, answers RATE_LIMITED.',
    success: 'ADMIN_ACTED',
    failures: ['NOT_FOUND', 'PHONE_INVALID', 'PHONE_NOT_SUPPORTED', 'PHONE_TAKEN'],
    params: userParams,
    body: object({ phone: text({ minLength: 1, maxLength: 64, examples: ['+12025550199'] }), reason: reasonField }),
    data: phoneChangeRecord,
    handle: async ({ params, body: { phone, reason }, admin, language }) => {
      const by = actOf(admin, reason);
      return { data: toPhoneChange(await changeUserPhone(deps, { userId: userIdOf(params), phone, by, language })) };
    },
  });
}

export function adminCancelPhoneRoute(deps: SupportDeps) {
  return defineRoute({
    summary: 'Cancel the scheduled change of a user’s phone number',
    description: 'The number and the e-mail address get a notice.',
    success: 'ADMIN_ACTED',
    failures: ['NOT_FOUND'],
    params: userParams,
    body: reasonBody,
    data: object({ cancelled: flag({ description: 'False if no change was scheduled' }) }),
    handle: async ({ params, body, admin, language }) => {
      const by = actOf(admin, body.reason);
      return { data: { cancelled: await cancelUserPhoneChange(deps, { userId: userIdOf(params), by, language }) } };
    },
  });
}

export function adminRemoveEmailRoute(deps: SupportDeps) {
  return defineRoute({
    summary: 'Remove the e-mail address of a user',
    description: 'The address gets a notice. It cannot be removed if the account has no phone number.',
    success: 'ADMIN_ACTED',
    failures: ['NOT_FOUND', 'LAST_WAY_IN'],
    params: userParams,
    body: reasonBody,
    data: object({ removed: flag({ description: 'False if there was no address' }) }),
    handle: async ({ params, body, admin, language }) => {
      const by = actOf(admin, body.reason);
      return { data: { removed: await removeUserEmail(deps, { userId: userIdOf(params), by, language }) } };
    },
  });
}
