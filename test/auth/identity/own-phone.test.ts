// The user's own number: its country, and whether the service still sends to it.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { AuthDeps } from '../../../src/auth/deps.ts';
import { readOwnPhone } from '../../../src/auth/identity/own-phone.ts';
import { createAuthStage } from '../../helpers/people/auth-fakes.ts';
import { brakePolicy, noon } from '../../helpers/store/fixtures.ts';

const mobile = '+4915112345678';
const testNumber = '+15550100001';
const testRecipients = [{ recipient: testNumber, code: '000000', until: noon + 1 }];

describe('the own number of a user', () => {
  const cases: [what: string, phone: string, changes: Partial<AuthDeps>, expected: object | undefined][] = [
    ['has its country', mobile, {}, { country: 'DE', isTest: false }],
    [
      'is served where its country is',
      mobile,
      { brake: { ...brakePolicy, countries: ['DE'] } },
      { country: 'DE', isTest: false },
    ],
    [
      'is not served where its country is not any more',
      mobile,
      { brake: { ...brakePolicy, countries: ['FR'] } },
      undefined,
    ],
    ['is not served where its kind is not any more', mobile, { phoneTypes: ['voip'] }, undefined],
    [
      'is served as a test recipient',
      testNumber,
      { testRecipients, brake: { ...brakePolicy, countries: ['FR'] } },
      { country: 'ZZ', isTest: true },
    ],
    ['is not served after its end as a test recipient', testNumber, {}, undefined],
  ];
  for (const [what, phone, changes, expected] of cases) {
    it(`the own number ${what}`, () => {
      const own = readOwnPhone(createAuthStage({}, changes).deps, phone, noon);
      assert.deepEqual(own, expected && { phone, ...expected });
    });
  }
});
