// Sending a code to a phone: what is checked and committed, for served, unserved and test numbers.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readAsker } from '../../../src/auth/codes/ask-token.ts';
import { challengeSlot } from '../../../src/auth/codes/challenge.ts';
import { sendPhoneOtp } from '../../../src/auth/codes/send-phone-otp.ts';
import type { SendRequest } from '../../../src/auth/codes/send-request.ts';
import type { AuthDeps } from '../../../src/auth/deps.ts';
import { markRecipient } from '../../../src/kernel/crypto/recipient-mark.ts';
import {
  createAuthStage,
  failureOf,
  givenTo,
  secrets,
  stageBrake,
  stageSends,
} from '../../helpers/people/auth-fakes.ts';
import { asPhone } from '../../helpers/people/ids.ts';
import { brakePolicy, noon, otpPolicy } from '../../helpers/store/fixtures.ts';

const phone = asPhone('+4915112345678');
const input = { recipient: ' +49 (151) 1234-5678 ', captchaToken: 'token', ip: '192.0.2.1', language: 'de' } as const;
const testNumber = asPhone('+15550100001');
const testRecipients = [{ recipient: testNumber, code: '111111', until: noon + 1 }];
const stageOf = (changes: Partial<AuthDeps> = {}) =>
  createAuthStage(
    { captcha: { check: async () => undefined }, sendRequests: { request: async () => undefined } },
    changes,
  );

describe('a code for a phone', () => {
  it('a code for a phone is requested with its limits, its brake, its challenge, its message and its audit event', async () => {
    const { deps, calls } = stageOf();
    await sendPhoneOtp(deps, input);
    const { challenge, message, ...request } = givenTo<SendRequest>(calls, 'sendRequests.request');
    assert.deepEqual(request, {
      check: { purpose: 'phone-login', recipient: phone, ip: '192.0.2.1', policy: stageSends, now: noon },
      brake: { phone, country: 'DE', policy: stageBrake, now: noon },
      captcha: undefined,
      audit: {
        kind: 'otp.requested',
        detail: { phone: '+49•••78', recipient: markRecipient(secrets, phone), country: 'DE', ip: '192.0.2.1' },
      },
      now: noon,
    });
    const { seed, ...offered } = challenge ?? assert.fail('no challenge');
    assert.deepEqual(offered, {
      purpose: 'phone-login',
      slot: challengeSlot('phone-login', phone),
      policy: otpPolicy,
    });
    assert.match(`${seed.id} ${seed.nonce}`, /^[0-9a-f-]{36} [\w-]{22}$/);
    assert.deepEqual([seed.secretId, seed.secretIds], [secrets.currentId, secrets.ids]);
    const { id, ...draft } = message ?? assert.fail('no message');
    assert.match(id, /^[0-9a-f-]{36}$/);
    assert.deepEqual(draft, {
      channel: 'sms',
      kind: 'phone-login',
      payload: { to: phone, language: 'de' },
      createdAt: noon,
      expiresAt: noon + 300_000,
    });
    assert.deepEqual(calls.at(-1), ['wakeDelivery', 'sms']);
  });

  it('a code for a phone comes with an ask token for that phone, as long as the code lives', async () => {
    const { deps } = stageOf();
    const { text, lifeSeconds } = await sendPhoneOtp(deps, input);
    assert.equal(lifeSeconds, 300);
    const subject = { purpose: 'phone-login', recipient: phone } as const;
    assert.notEqual(readAsker(secrets, text, subject, noon + 299_999), undefined);
    assert.equal(readAsker(secrets, text, subject, noon + 300_000), undefined);
  });

  it('limits and a brake that are off are not part of the request', async () => {
    const off = { resendAfterSeconds: [], perRecipient: [], perIp: [] };
    const { deps, calls } = stageOf({ sends: { sms: off, mail: off }, brake: brakePolicy });
    await sendPhoneOtp(deps, input);
    const { check, brake, message } = givenTo<SendRequest>(calls, 'sendRequests.request');
    assert.deepEqual([check, brake, message?.kind], [undefined, undefined, 'phone-login']);
  });

  it('a code for a test number has a challenge and an ask token, but no limit, no brake and no message', async () => {
    const { deps, calls } = stageOf({ testRecipients });
    const { text } = await sendPhoneOtp(deps, { ...input, recipient: '+1 555 0100001' });
    const { check, brake, message, challenge, audit } = givenTo<SendRequest>(calls, 'sendRequests.request');
    assert.deepEqual([check, brake, message], [undefined, undefined, undefined]);
    assert.equal(challenge?.slot, challengeSlot('phone-login', testNumber));
    assert.equal(audit.detail.country, 'ZZ');
    assert.deepEqual(
      calls.map(([verb]) => verb),
      ['captcha.check', 'sendRequests.request'],
    );
    const subject = { purpose: 'phone-login', recipient: testNumber } as const;
    assert.notEqual(readAsker(secrets, text, subject, noon), undefined);
  });

  const brake = (...countries: string[]) => ({ brake: { ...brakePolicy, countries } });
  const cases: [what: string, recipient: string, changes: Partial<AuthDeps>, expected: string | undefined][] = [
    ['in a country that is served', phone, brake('FR', 'DE'), undefined],
    ['in a country that is not served', phone, brake('FR'), 'PHONE_NOT_SUPPORTED'],
    ['of a test number where no country is served', testNumber, { ...brake('FR'), testRecipients }, undefined],
    ['of a test number after its end', testNumber, { testRecipients, clock: { now: () => noon + 1 } }, 'PHONE_INVALID'],
    ['that is no number', 'hello', {}, 'PHONE_INVALID'],
    ['of a type that is not served', phone, { phoneTypes: ['fixed'] }, 'PHONE_NOT_SUPPORTED'],
  ];
  for (const [what, recipient, changes, expected] of cases) {
    it(`a code for a phone ${what} ${expected === undefined ? 'is sent' : `is refused before anything is asked: ${expected}`}`, async () => {
      const { deps, calls } = stageOf(changes);
      if (expected === undefined) return void (await sendPhoneOtp(deps, { ...input, recipient }));
      assert.deepEqual(await failureOf(sendPhoneOtp(deps, { ...input, recipient })), [expected, {}]);
      assert.deepEqual(calls, []);
    });
  }

  it('a code for a phone that is refused gives no ask token', async () => {
    const { deps } = createAuthStage({
      captcha: { check: async () => undefined },
      sendRequests: { request: async () => ({ code: 'RATE_LIMITED', detail: { retryAfterSeconds: 3 } }) },
    });
    assert.deepEqual(await failureOf(sendPhoneOtp(deps, input)), ['RATE_LIMITED', { retryAfterSeconds: 3 }]);
  });
});
