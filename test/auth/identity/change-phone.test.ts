// Changing the number: what is committed, which sessions are refused at once, and which outcome becomes which failure.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { challengeSlot } from '../../../src/auth/codes/challenge.ts';
import type { AuthDeps } from '../../../src/auth/deps.ts';
import { readDevice, writeDeviceToken } from '../../../src/auth/devices/device-token.ts';
import { changePhone } from '../../../src/auth/identity/change-phone.ts';
import type { PhoneChange, PhoneChangeOutcome } from '../../../src/auth/identity/phone-change.ts';
import { newId } from '../../../src/kernel/crypto/random.ts';
import { newUserId } from '../../../src/kernel/ids.ts';
import { createAuthStage, failureOf, givenTo, secrets } from '../../helpers/people/auth-fakes.ts';
import { asPhone, asSessionId, asUserId } from '../../helpers/people/ids.ts';
import { makeUser } from '../../helpers/people/user.ts';
import { brakePolicy, noon } from '../../helpers/store/fixtures.ts';

const id = newUserId();
const phone = asPhone('+4915112345678');
const user = makeUser({ phone });
const input = {
  userId: asUserId('ann'),
  sessionId: asSessionId('here'),
  phone: ' +49 (151) 1234-5678 ',
  otp: '123 456',
  ip: '192.0.2.1',
  askToken: undefined,
  deviceToken: undefined,
  language: 'de',
} as const;
const block = { rule: { count: 3, windowSeconds: 86_400 }, retryAfterSeconds: 60 };
const limit = { quota: 3, windowSeconds: 86_400, resetSeconds: 60 };
const stageOf = (outcome: PhoneChangeOutcome, changes: Partial<AuthDeps> = {}) =>
  createAuthStage({ phones: { changePhone: async () => outcome }, revocations: { add: () => undefined } }, changes);

describe('changing the number', () => {
  it('a change commits the attempt with the wait and the notices, refuses the ended sessions, and wakes the delivery', async () => {
    const { deps, calls } = stageOf({ kind: 'changed', user, sessionIds: ['there'].map(asSessionId) });
    assert.deepEqual(await changePhone(deps, input), { kind: 'changed', user });
    assert.deepEqual(calls.slice(1), [
      ['revocations.add', ['there']],
      ['wakeDelivery', undefined],
    ]);
    const { attempt, notices, ...change } = givenTo<PhoneChange>(calls, 'phones.changePhone');
    const wait = { waitSeconds: 72 * 3600, language: 'de', now: noon };
    assert.deepEqual(change, { userId: 'ann', sessionId: asSessionId('here'), phone, country: undefined, ...wait });
    assert.equal(attempt.slot, challengeSlot('phone-change', phone, asUserId('ann')));
    assert.deepEqual([attempt.given, attempt.caller, attempt.policy], ['123456', '192.0.2.1', deps.otp.sms]);
    const topics = [notices.changed, notices.scheduled].flatMap(({ sms, mail }) => [sms, mail]);
    assert.deepEqual(
      topics.map(({ message: { payload } }) => [payload.topic, payload.language]),
      [
        ['phone-changed', 'de'],
        ['phone-changed', 'de'],
        ['phone-change-scheduled', 'de'],
        ['phone-change-scheduled', 'de'],
      ],
    );
    assert.equal(new Set(topics.map(({ tokenHash }) => tokenHash)).size, 4, 'each message has a link of its own');
  });

  for (const [owner, device, isRenewed] of [
    [id, 'the device of the user', true],
    [newId(), 'the device of another user', false],
  ] as const) {
    it(`a change ${isRenewed ? 'marks' : 'does not mark'} ${device} with the new number`, async () => {
      const { deps } = stageOf({ kind: 'changed', user: { ...user, id }, sessionIds: [] });
      const { text } = writeDeviceToken(secrets, { userId: asUserId(owner), phone: asPhone('+12025550123') }, noon);
      const changed = await changePhone(deps, { ...input, userId: id, deviceToken: text });
      const renewed = readDevice(secrets, 'device' in changed ? changed.device?.text : undefined, noon);
      assert.deepEqual([renewed?.userId, renewed?.isOf(phone)], isRenewed ? [id, true] : [undefined, undefined]);
      if (isRenewed) assert.equal(renewed?.id, readDevice(secrets, text, noon)?.id, 'the device keeps its id');
    });
  }

  it('an attempt on a device of the number is counted as one of a known device', async () => {
    const { deps, calls } = stageOf({ kind: 'own', user });
    const { text } = writeDeviceToken(secrets, { userId: id, phone }, noon);
    await changePhone(deps, { ...input, deviceToken: text });
    const { attempt } = givenTo<PhoneChange>(calls, 'phones.changePhone');
    assert.equal(attempt.device, readDevice(secrets, text, noon)?.id);
  });

  for (const noticeChoice of ['off', 'mail'] as const) {
    it(`the notices of a change are prepared by SMS and mail where notices are set to ${noticeChoice}`, async () => {
      const { deps, calls } = stageOf({ kind: 'own', user }, { noticeChoice });
      await changePhone(deps, input);
      const { changed } = givenTo<PhoneChange>(calls, 'phones.changePhone').notices;
      assert.deepEqual([changed.sms.message.channel, changed.mail.message.channel], ['sms', 'mail']);
    });
  }

  it('a scheduled change answers its number and time, and ends no session', async () => {
    const scheduled = { kind: 'scheduled', phone, effectiveAt: noon + 1 } as const;
    const { deps, calls } = stageOf(scheduled);
    assert.deepEqual(await changePhone(deps, input), scheduled);
    assert.deepEqual(
      calls.map(([verb]) => verb),
      ['phones.changePhone', 'wakeDelivery'],
    );
  });

  it('the own number answers the account and tells nobody', async () => {
    const { deps, calls } = stageOf({ kind: 'own', user });
    assert.deepEqual(await changePhone(deps, input), { kind: 'changed', user });
    assert.equal(calls.length, 1);
  });

  const failures: [PhoneChangeOutcome, code: string, detail: object][] = [
    [{ kind: 'taken' }, 'PHONE_TAKEN', {}],
    [
      { kind: 'limited', block },
      'RATE_LIMITED',
      { retryAfterSeconds: 60, policy: { name: 'phone-changes', ...limit } },
    ],
    [{ kind: 'gone' }, 'SESSION_REVOKED', {}],
    [{ kind: 'lost' }, 'OTP_INVALID', { left: 4 }],
    [{ kind: 'refused', code: 'OTP_EXPIRED', detail: {} }, 'OTP_EXPIRED', {}],
  ];
  for (const [outcome, code, detail] of failures) {
    it(`the outcome ${outcome.kind} fails with ${code}, and tells nobody`, async () => {
      const { deps, calls } = stageOf(outcome);
      assert.deepEqual(await failureOf(changePhone(deps, input)), [code, detail]);
      assert.equal(calls.length, 1);
    });
  }

  it('a number or a code in the wrong form is refused before the store is asked', async () => {
    const { deps, calls } = stageOf({ kind: 'own', user });
    assert.deepEqual(await failureOf(changePhone(deps, { ...input, phone: 'hello' })), ['PHONE_INVALID', {}]);
    assert.deepEqual(await failureOf(changePhone(deps, { ...input, otp: '12345' })), [
      'REQUEST_INVALID',
      { field: 'otp' },
    ]);
    assert.deepEqual(calls, []);
  });

  it('a used code counts for its country where the brake watches unused codes, and not for a test number', async () => {
    const brake = { ...brakePolicy, unused: { share: 0.5, least: 1 } };
    const countryOf = async (changes: Partial<AuthDeps>) => {
      const { deps, calls } = stageOf({ kind: 'own', user }, changes);
      await changePhone(deps, input);
      return givenTo<PhoneChange>(calls, 'phones.changePhone').country;
    };
    assert.equal(await countryOf({ brake }), 'DE');
    const testRecipients = [{ recipient: phone, code: '111111', until: noon + 1 }];
    assert.equal(await countryOf({ brake, testRecipients }), undefined);
  });
});
