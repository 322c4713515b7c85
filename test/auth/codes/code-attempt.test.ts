// A submitted code is prepared for the commit that counts and compares it, and a refused attempt becomes a failure.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { writeAskToken } from '../../../src/auth/codes/ask-token.ts';
import { budgetOf } from '../../../src/auth/codes/attempt-budget.ts';
import { type CodeSubject, challengeSlot, codeKeys } from '../../../src/auth/codes/challenge.ts';
import { attemptFailure, prepareAttempt } from '../../../src/auth/codes/code-attempt.ts';
import { readDevice, writeDeviceToken } from '../../../src/auth/devices/device-token.ts';
import { recipientMarkKey } from '../../../src/kernel/crypto/recipient-mark.ts';
import { Failure } from '../../../src/kernel/failure.ts';
import { newUserId } from '../../../src/kernel/ids.ts';
import { createAuthStage, secrets } from '../../helpers/people/auth-fakes.ts';
import { asEmailKey, asPhone, asUserId } from '../../helpers/people/ids.ts';
import { noon, otpPolicy } from '../../helpers/store/fixtures.ts';

const phone: CodeSubject = { purpose: 'phone-login', recipient: asPhone('+491510000001') };
const email: CodeSubject = {
  purpose: 'email-binding',
  recipient: asEmailKey('ann@example.com'),
  userId: asUserId('ann'),
};
const given = { otp: '12 34-56', ip: '192.0.2.1', askToken: undefined };
const { deps } = createAuthStage();

describe('a submitted code', () => {
  it('a submitted code is prepared with its counters, its keys and its time', () => {
    const { seed, ...attempt } = prepareAttempt(deps, phone, given, otpPolicy);
    assert.deepEqual(attempt, {
      slot: challengeSlot('phone-login', phone.recipient),
      budget: budgetOf(phone.recipient),
      caller: '192.0.2.1',
      asker: undefined,
      device: undefined,
      subject: phone,
      given: '123456',
      fixed: undefined,
      keys: codeKeys(secrets),
      policy: otpPolicy,
      markKey: recipientMarkKey(secrets),
      now: noon,
    });
    assert.match(seed.id, /^[0-9a-f-]{36}$/);
    assert.match(seed.nonce, /^[\w-]{22}$/);
    assert.equal(seed.secretId, secrets.currentId);
  });

  it('a submitted code of an e-mail address is for one user', () => {
    const { slot, subject } = prepareAttempt(deps, email, given, otpPolicy);
    assert.equal(slot, challengeSlot('email-binding', asEmailKey('ann@example.com'), asUserId('ann')));
    assert.equal(subject, email);
  });

  const askers: [what: string, subject: CodeSubject, isKnown: boolean][] = [
    ['its own', phone, true],
    ['another recipient’s', { ...phone, recipient: asPhone('+491510000002') }, false],
  ];
  for (const [what, subject, isKnown] of askers) {
    it(`a submitted code with ${what} ask token is ${isKnown ? 'the asker’s' : 'a stranger’s'}`, () => {
      const { text } = writeAskToken(secrets, subject, 300, noon);
      const { asker } = prepareAttempt(deps, phone, { ...given, askToken: text }, otpPolicy);
      assert.equal(asker !== undefined, isKnown);
    });
  }

  const devices: [what: string, number: string, isKnown: boolean][] = [
    ['its own', phone.recipient, true],
    ['another number’s', asPhone('+491510000002'), false],
  ];
  for (const [what, number, isKnown] of devices) {
    it(`a submitted code on ${what} device ${isKnown ? 'has' : 'does not have'} the attempts of known devices`, () => {
      const { text } = writeDeviceToken(secrets, { userId: newUserId(), phone: asPhone(number) }, noon);
      const known = readDevice(secrets, text, noon) ?? assert.fail();
      const { device } = prepareAttempt(deps, phone, given, otpPolicy, known);
      assert.equal(device, isKnown ? known.id : undefined);
    });
  }

  it('a submitted code of a test recipient is compared with its fixed code', () => {
    const testRecipients = [{ recipient: phone.recipient, code: '111111', until: noon + 1 }];
    const stage = createAuthStage({}, { testRecipients });
    assert.equal(prepareAttempt(stage.deps, phone, given, otpPolicy).fixed, '111111');
    const ended = createAuthStage({}, { testRecipients, clock: { now: () => noon + 1 } });
    assert.equal(prepareAttempt(ended.deps, phone, given, otpPolicy).fixed, undefined);
  });

  for (const otp of [
    '',
    '12345',
    '1234567',
    '12345a',
    'abcdef',
    '12345.',
    '0x123456',
    asPhone('+123456'),
    '1234560',
    '-'.repeat(6),
    '1234567890',
  ]) {
    it(`the text ${JSON.stringify(otp)} is no code, and the field is named`, () => {
      assert.throws(
        () => prepareAttempt(deps, phone, { ...given, otp }, otpPolicy),
        new Failure('REQUEST_INVALID', { field: 'otp' }),
      );
    });
  }
});

describe('a refused attempt', () => {
  it('a refused attempt fails with its code and detail', () => {
    const outcome = { kind: 'refused', code: 'OTP_ATTEMPTS_EXCEEDED', detail: { retryAfterSeconds: 5 } } as const;
    const { code, detail } = attemptFailure(outcome, otpPolicy);
    assert.deepEqual([code, detail], ['OTP_ATTEMPTS_EXCEEDED', { retryAfterSeconds: 5 }]);
  });

  it('an attempt that lost a race looks like the first wrong code', () => {
    const { code, detail } = attemptFailure({ kind: 'lost' }, { ...otpPolicy, attempts: 5 });
    assert.deepEqual([code, detail], ['OTP_INVALID', { left: 4 }]);
  });
});
