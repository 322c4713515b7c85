// A change of the number that takes effect later, as routes show it.
import type { ScheduledPhone } from '../../../../auth/identity/phone-change.ts';
import { named, object, text } from '../../../interface/schema.ts';
import { isoTime } from '../../fields.ts';

export const scheduledPhone = named('ScheduledPhone', object({ phone: text(), effectiveAt: isoTime }));

export const scheduledPhoneExample = { phone: '+12025550199', effectiveAt: '2026-11-18T09:30:00.000Z' };

export function presentScheduled({ phone, effectiveAt }: ScheduledPhone) {
  return { phone, effectiveAt: new Date(effectiveAt).toISOString() };
}
