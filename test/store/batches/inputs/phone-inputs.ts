// Inputs of the operations that change the number of a user.
import fc from 'fast-check';
import { challengeSlot } from '../../../../src/auth/codes/challenge.ts';
import type { PhoneChange } from '../../../../src/auth/identity/phone-change.ts';
import { asPhone, asSessionId, asUserId } from '../../../helpers/people/ids.ts';
import { type AllInputs, inputsOf } from '../inputs.ts';
import { phoneNoticesOf } from '../notices.ts';
import { countries, favour, few, maybe, phones, sessionIds, userIds, type ValueOf } from '../pool.ts';
import { signInRows } from '../rows.ts';
import { attemptOf, guess } from './sign-in-inputs.ts';

const phoneChange = fc.record({
  guess: guess.map((given) => ({ ...given, isRight: true })),
  user: favour([0, 1, 2]),
  phone: few(3),
  session: few(4),
  country: maybe(favour(countries)),
});

function changeOf(chosen: ValueOf<typeof phoneChange>, index: number): PhoneChange {
  const userId = userIds[chosen.user] ?? asUserId('');
  const phone = phones[chosen.phone] ?? asPhone('');
  const subject = { purpose: 'phone-change' as const, recipient: phone, userId };
  const attempt = attemptOf(chosen.guess, challengeSlot(subject.purpose, phone, userId), subject, index);
  const { now } = attempt;
  return {
    attempt,
    userId,
    sessionId: sessionIds[chosen.session] ?? asSessionId(''),
    phone,
    country: chosen.country,
    waitSeconds: 3600,
    language: 'en',
    notices: {
      changed: phoneNoticesOf('phone-changed', now, `a${index}`),
      scheduled: phoneNoticesOf('phone-change-scheduled', now, `b${index}`),
    },
    now,
  };
}

export const phoneInputs = {
  'phones.changePhone': inputsOf(signInRows, phoneChange, changeOf),
} satisfies Partial<AllInputs>;
