// GET /api/auth/phone/change: the scheduled change of the caller's phone number.
import type { AuthDeps } from '../../../../auth/deps.ts';
import { defineRoute } from '../../../interface/route.ts';
import { nullable } from '../../../interface/schema.ts';
import { presentScheduled, scheduledPhone, scheduledPhoneExample } from './scheduled-phone.ts';

export function showPhoneChangeRoute({ scheduledPhones }: AuthDeps) {
  return defineRoute({
    summary: 'Show the scheduled change of my phone number',
    description:
      'The new number and the time at which it replaces the old one. `data` is null if no change is scheduled.',
    success: 'PHONE_CHANGE',
    failures: [],
    data: nullable(scheduledPhone),
    example: scheduledPhoneExample,
    handle: async ({ caller }) => {
      const scheduled = await scheduledPhones.findPhoneChange(caller.userId);
      return { data: scheduled === undefined ? null : presentScheduled(scheduled) };
    },
  });
}
