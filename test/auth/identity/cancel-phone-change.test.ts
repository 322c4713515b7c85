// Cancelling a scheduled change of a phone number: what is committed, and when the delivery wakes.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { cancelPhoneChange } from '../../../src/auth/identity/cancel-phone-change.ts';
import type { PhoneCancellation } from '../../../src/auth/identity/scheduled-phone.ts';
import { createAuthStage, givenTo } from '../../helpers/people/auth-fakes.ts';
import { asSessionId, asUserId } from '../../helpers/people/ids.ts';
import { noon } from '../../helpers/store/fixtures.ts';

const input = { userId: asUserId('ann'), sessionId: asSessionId('here'), language: 'de' } as const;

it('a cancellation commits its notices whatever NOTICES says, and wakes both channels', async () => {
  const answers = { scheduledPhones: { cancelPhoneChange: async () => true } };
  const { deps, calls } = createAuthStage(answers, { noticeChoice: 'off' });
  await cancelPhoneChange(deps, input);
  const { notices, ...given } = givenTo<PhoneCancellation>(calls, 'scheduledPhones.cancelPhoneChange');
  assert.deepEqual(given, { userId: 'ann', sessionId: asSessionId('here'), now: noon });
  for (const { message } of [notices.sms, notices.mail])
    assert.deepEqual([message.payload.topic, message.payload.language], ['phone-change-cancelled', 'de']);
  assert.deepEqual(calls.at(-1), ['wakeDelivery', undefined]);
});

it('a cancellation of nothing succeeds, and wakes nobody', async () => {
  const { deps, calls } = createAuthStage({ scheduledPhones: { cancelPhoneChange: async () => false } });
  await cancelPhoneChange(deps, input);
  assert.deepEqual(
    calls.map(([verb]) => verb),
    ['scheduledPhones.cancelPhoneChange'],
  );
});
