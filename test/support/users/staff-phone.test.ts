// The rule of a change of number that staff start: it is always scheduled, never at once, and not for a number that is in use.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { judgeStaffChange, type StaffPhoneOutcome } from '../../../src/support/users/staff-phone.ts';
import { asEmail, asPhone, asUserId } from '../../helpers/people/ids.ts';

const old = asPhone('+12025550123');
const phone = asPhone('+12025550199');
const ann = { id: asUserId('ann'), phone: old, email: asEmail('ann@example.com') };
const input = { phone, waitSeconds: 60, now: 1000 };
const scheduled = { kind: 'scheduled', phone, effectiveAt: 61_000 } as const;

const block = { rule: { count: 3, windowSeconds: 86_400 }, retryAfterSeconds: 60 };

describe('a change of number by staff', () => {
  const cases: [what: string, Parameters<typeof judgeStaffChange>[0], StaffPhoneOutcome][] = [
    ['of a user is scheduled after the wait', { user: ann, owner: undefined }, scheduled],
    [
      'of a user without a number is scheduled too',
      { user: { ...ann, phone: undefined }, owner: undefined },
      scheduled,
    ],
    [
      'of a user without an address is scheduled too',
      { user: { ...ann, email: undefined }, owner: undefined },
      scheduled,
    ],
    ['to a number of another user is refused', { user: ann, owner: asUserId('bob') }, { kind: 'taken' }],
    [
      'to the number that the user has is refused',
      { user: { ...ann, phone }, owner: asUserId('ann') },
      { kind: 'own' },
    ],
    ['of a user too often is refused', { user: ann, owner: undefined, block }, { kind: 'limited', block }],
    ['of an unknown user is refused', { user: undefined, owner: undefined }, { kind: 'gone' }],
  ];
  for (const [what, known, expected] of cases)
    it(`a change ${what}`, () => assert.deepEqual(judgeStaffChange(known, input), expected));
});
