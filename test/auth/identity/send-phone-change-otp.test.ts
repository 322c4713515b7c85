// Sending a code to a new number: the request names the user and the number, and nobody is looked up.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readAsker } from '../../../src/auth/codes/ask-token.ts';
import { challengeSlot } from '../../../src/auth/codes/challenge.ts';
import type { SendRequest } from '../../../src/auth/codes/send-request.ts';
import type { AuthDeps } from '../../../src/auth/deps.ts';
import { sendPhoneChangeOtp } from '../../../src/auth/identity/send-phone-change-otp.ts';
import { markRecipient } from '../../../src/kernel/crypto/recipient-mark.ts';
import {
  createAuthStage,
  failureOf,
  givenTo,
  secrets,
  stageBrake,
  stageSends,
} from '../../helpers/people/auth-fakes.ts';
import { asPhone, asUserId } from '../../helpers/people/ids.ts';
import { brakePolicy, noon, otpPolicy } from '../../helpers/store/fixtures.ts';

const phone = asPhone('+4915112345678');
const caller = { captchaToken: 'token', ip: '192.0.2.1', language: 'de' } as const;
const input = { userId: asUserId('ann'), recipient: ' +49 (151) 1234-5678 ', ...caller };
const stageOf = (changes: Partial<AuthDeps> = {}) =>
  createAuthStage(
    { captcha: { check: async () => undefined }, sendRequests: { request: async () => undefined } },
    changes,
  );

describe('a code for a new number', () => {
  it('a code for a new number is requested for this user and number, and no user is looked up', async () => {
    const { deps, calls } = stageOf();
    const { text, lifeSeconds } = await sendPhoneChangeOtp(deps, input);
    assert.deepEqual(
      calls.map(([verb]) => verb),
      ['captcha.check', 'sendRequests.request', 'wakeDelivery'],
    );
    const { challenge, message, ...request } = givenTo<SendRequest>(calls, 'sendRequests.request');
    assert.deepEqual(request, {
      check: { purpose: 'phone-change', recipient: phone, ip: '192.0.2.1', policy: stageSends, now: noon },
      brake: { phone, country: 'DE', policy: stageBrake, now: noon },
      captcha: undefined,
      audit: {
        kind: 'otp.requested',
        userId: 'ann',
        detail: { phone: '+49•••78', recipient: markRecipient(secrets, phone), country: 'DE', ip: '192.0.2.1' },
      },
      now: noon,
    });
    const { seed: _, ...offered } = challenge ?? assert.fail('no challenge');
    const slot = challengeSlot('phone-change', phone, asUserId('ann'));
    assert.deepEqual(offered, { purpose: 'phone-change', slot, policy: otpPolicy });
    const { id: _id, ...draft } = message ?? assert.fail('no message');
    const payload = { to: phone, userId: 'ann', language: 'de' };
    const times = { createdAt: noon, expiresAt: noon + 300_000 };
    assert.deepEqual(draft, { channel: 'sms', kind: 'phone-change', payload, ...times });
    assert.equal(lifeSeconds, 300);
    const subject = { purpose: 'phone-change', recipient: phone, userId: asUserId('ann') } as const;
    assert.notEqual(readAsker(secrets, text, subject, noon), undefined);
    assert.equal(readAsker(secrets, text, { ...subject, userId: asUserId('bob') }, noon), undefined);
  });

  it('a code for a number that is not served is refused before the captcha is used up', async () => {
    const { deps, calls } = stageOf({ brake: { ...brakePolicy, countries: ['FR'] } });
    assert.deepEqual(await failureOf(sendPhoneChangeOtp(deps, input)), ['PHONE_NOT_SUPPORTED', {}]);
    assert.deepEqual(await failureOf(sendPhoneChangeOtp(deps, { ...input, recipient: 'hello' })), [
      'PHONE_INVALID',
      {},
    ]);
    assert.deepEqual(calls, []);
  });
});
