// Inputs of the operations on scheduled changes of phone numbers.
import fc from 'fast-check';
import { asSessionId } from '../../../helpers/people/ids.ts';
import { type AllInputs, inputsOf } from '../inputs.ts';
import { phoneNoticesOf } from '../notices.ts';
import { by, favour, flag, moment, momentOf, phones, pick, userIds } from '../pool.ts';
import { userRows } from '../rows.ts';

const most = fc.integer({ min: 1, max: 3 });

export const scheduledPhoneInputs = {
  'scheduledPhones.findPhoneChange': inputsOf(userRows, favour(userIds), (id) => id),
  'scheduledPhones.cancelPhoneChange': inputsOf(
    userRows,
    fc.record({ userId: favour(userIds), isStaff: flag, at: moment }),
    ({ userId, isStaff, at }, index) => {
      const now = momentOf(at, index);
      const notices = phoneNoticesOf('phone-change-cancelled', now, `c${index}`);
      return isStaff
        ? { userId, by, notices, now }
        : { userId, sessionId: asSessionId(`session ${index}`), notices, now };
    },
  ),
  'directory.schedulePhone': inputsOf(
    userRows,
    fc.record({ userId: favour(userIds), phone: pick(phones), at: moment }),
    ({ userId, phone, at }, index) => {
      const now = momentOf(at, index);
      const notices = phoneNoticesOf('phone-change-scheduled', now, `t${index}`);
      return { userId, phone, waitSeconds: 60, language: 'de' as const, notices, by, now };
    },
  ),
  'scheduledPhones.countDuePhoneChanges': inputsOf(
    userRows,
    fc.record({ most, at: moment }),
    ({ most: count, at }, index) => ({
      now: momentOf(at, index),
      most: count,
    }),
  ),
  'scheduledPhones.applyPhoneChanges': inputsOf(
    userRows,
    fc.record({ most, at: moment }),
    ({ most: count, at }, index) => {
      const now = momentOf(at, index);
      const notices = Array.from({ length: count }, (_, each) =>
        phoneNoticesOf('phone-changed', now, `${index}${each}`),
      );
      return { notices, waitSeconds: 60, now };
    },
  ),
} satisfies Partial<AllInputs>;
