// Sending a code that binds an e-mail address: what is committed, for every address alike and for test addresses.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readAsker } from '../../../src/auth/codes/ask-token.ts';
import { challengeSlot } from '../../../src/auth/codes/challenge.ts';
import type { SendRequest } from '../../../src/auth/codes/send-request.ts';
import { sendBindingOtp } from '../../../src/auth/identity/send-binding-otp.ts';
import { createAuthStage, failureOf, givenTo, secrets } from '../../helpers/people/auth-fakes.ts';
import { asEmail, asEmailKey, asUserId } from '../../helpers/people/ids.ts';
import { makeUser } from '../../helpers/people/user.ts';
import { noon, otpPolicy, sendPolicy } from '../../helpers/store/fixtures.ts';

const input = {
  userId: asUserId('ann'),
  provedAt: noon,
  recipient: ' Ann@Example.com ',
  captchaToken: 'token',
  ip: '192.0.2.1',
  language: 'de',
} as const;
const testRecipients = [{ recipient: 'ann@example.com', code: '111111', until: noon + 1 }];
const answers = { captcha: { check: async () => undefined }, sendRequests: { request: async () => undefined } };
const mailPolicy = { ...otpPolicy, lifeSeconds: 900, attempts: 7 };

describe('a code for an e-mail address', () => {
  it('a code for an e-mail address is requested with its limits, its challenge, its message and its audit event', async () => {
    const { deps, calls } = createAuthStage(answers);
    await sendBindingOtp(deps, input);
    const { challenge, message, ...request } = givenTo<SendRequest>(calls, 'sendRequests.request');
    assert.deepEqual(request, {
      check: {
        purpose: 'email-binding',
        recipient: 'ann@example.com',
        ip: '192.0.2.1',
        policy: { ...sendPolicy, resendAfterSeconds: [60] },
        now: noon,
      },
      brake: undefined,
      captcha: undefined,
      audit: { kind: 'otp.requested', userId: 'ann', detail: { email: 'a•••@example.com', ip: '192.0.2.1' } },
      now: noon,
    });
    const { seed, ...offered } = challenge ?? assert.fail('no challenge');
    assert.deepEqual(offered, {
      purpose: 'email-binding',
      slot: challengeSlot('email-binding', asEmailKey('ann@example.com'), asUserId('ann')),
      policy: mailPolicy,
    });
    assert.match(`${seed.id} ${seed.nonce}`, /^[0-9a-f-]{36} [\w-]{22}$/);
    assert.deepEqual([seed.secretId, seed.secretIds], [secrets.currentId, secrets.ids]);
    const { id, ...draft } = message ?? assert.fail('no message');
    assert.match(id, /^[0-9a-f-]{36}$/);
    assert.deepEqual(draft, {
      channel: 'mail',
      kind: 'email-binding',
      payload: { to: 'ann@example.com', address: 'Ann@Example.com', userId: 'ann', language: 'de' },
      createdAt: noon,
      expiresAt: noon + 900_000,
    });
    assert.deepEqual(calls.at(-1), ['wakeDelivery', 'mail']);
  });

  it('a code for an e-mail address comes with an ask token for that address and user', async () => {
    const { text, lifeSeconds } = await sendBindingOtp(createAuthStage(answers).deps, input);
    assert.equal(lifeSeconds, 900);
    const subject = {
      purpose: 'email-binding',
      recipient: asEmailKey('ann@example.com'),
      userId: asUserId('ann'),
    } as const;
    assert.notEqual(readAsker(secrets, text, subject, noon + 899_999), undefined);
    assert.equal(readAsker(secrets, text, { ...subject, userId: asUserId('bob') }, noon), undefined);
  });

  it('a code for a test address has a challenge, but no limit and no message', async () => {
    const { deps, calls } = createAuthStage(answers, { testRecipients });
    await sendBindingOtp(deps, input);
    const { check, message, challenge } = givenTo<SendRequest>(calls, 'sendRequests.request');
    assert.deepEqual([check, message, challenge?.purpose], [undefined, undefined, 'email-binding']);
    assert.equal(calls.at(-1)?.[0], 'sendRequests.request');
  });

  it('a code for a test address after its end is sent like any other', async () => {
    const { deps, calls } = createAuthStage(answers, { testRecipients, clock: { now: () => noon + 1 } });
    await sendBindingOtp(deps, input);
    assert.notEqual(givenTo<SendRequest>(calls, 'sendRequests.request').message, undefined);
  });

  it('a code for a text that is no address is refused before anything is asked', async () => {
    const { deps, calls } = createAuthStage();
    assert.deepEqual(await failureOf(sendBindingOtp(deps, { ...input, recipient: 'ann' })), ['EMAIL_INVALID', {}]);
    assert.deepEqual(calls, []);
  });

  const userWith = (email: string | undefined) => ({
    users: { findUser: async () => makeUser({ email: email === undefined ? undefined : asEmail(email) }) },
  });

  it('a code for a first e-mail address needs no recent sign-in', async () => {
    const { deps, calls } = createAuthStage({ ...answers, ...userWith(undefined) });
    await sendBindingOtp(deps, { ...input, provedAt: noon - 600_001 });
    assert.deepEqual(calls[0], ['users.findUser', 'ann']);
    givenTo<SendRequest>(calls, 'sendRequests.request');
  });

  it('a code for another e-mail address is refused without a recent sign-in, before the captcha is spent', async () => {
    const { deps, calls } = createAuthStage({ ...answers, ...userWith('ann@example.com') });
    const refused = failureOf(sendBindingOtp(deps, { ...input, provedAt: undefined }));
    assert.deepEqual(await refused, ['RECENT_SIGN_IN_REQUIRED', {}]);
    assert.deepEqual(calls, [['users.findUser', 'ann']]);
  });
});
