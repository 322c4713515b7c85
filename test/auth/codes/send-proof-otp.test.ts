// Sending a code to one's own phone or address: what is committed, and who is refused before anything is.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readAsker } from '../../../src/auth/codes/ask-token.ts';
import { challengeSlot } from '../../../src/auth/codes/challenge.ts';
import { type SendProofOtp, sendProofOtp } from '../../../src/auth/codes/send-proof-otp.ts';
import type { SendRequest } from '../../../src/auth/codes/send-request.ts';
import type { User } from '../../../src/auth/identity/user.ts';
import { markRecipient } from '../../../src/kernel/crypto/recipient-mark.ts';
import {
  createAuthStage,
  failureOf,
  givenTo,
  secrets,
  stageBrake,
  stageSends,
} from '../../helpers/people/auth-fakes.ts';
import { asEmail, asEmailKey, asPhone, asUserId } from '../../helpers/people/ids.ts';
import { makeUser } from '../../helpers/people/user.ts';
import { noon, otpPolicy } from '../../helpers/store/fixtures.ts';

const phone = asPhone('+4915112345678');
const ann = makeUser({ phone, email: asEmail('Ann@Example.com') });
const input: SendProofOtp = {
  userId: asUserId('ann'),
  via: 'phone',
  captchaToken: 'token',
  ip: '192.0.2.1',
  language: 'de',
};
const mailPolicy = { ...otpPolicy, lifeSeconds: 900, attempts: 7 };
const stageOf = (user: User | undefined, testRecipients: { recipient: string; code: string; until: number }[] = []) =>
  createAuthStage(
    {
      captcha: { check: async () => undefined },
      sendRequests: { request: async () => undefined },
      users: { findUser: async () => user },
    },
    { testRecipients },
  );

describe('a code to one’s own phone', () => {
  it('a code to one’s own phone is requested with its limits, its brake, its challenge, its message and its audit event', async () => {
    const { deps, calls } = stageOf(ann);
    const { text } = await sendProofOtp(deps, input);
    const { challenge, message, check, ...request } = givenTo<SendRequest>(calls, 'sendRequests.request');
    const purpose = 'proof-phone' as const;
    assert.deepEqual(request, {
      brake: { phone, country: 'DE', policy: stageBrake, now: noon },
      audit: {
        kind: 'otp.requested',
        userId: 'ann',
        detail: { phone: '+49•••78', recipient: markRecipient(secrets, phone), country: 'DE', ip: '192.0.2.1' },
      },
      captcha: undefined,
      now: noon,
    });
    assert.deepEqual(
      [check?.purpose, check?.recipient, check?.ip, check?.policy],
      [purpose, phone, '192.0.2.1', stageSends],
    );
    assert.deepEqual(
      [challenge?.purpose, challenge?.slot, challenge?.policy],
      [purpose, challengeSlot(purpose, phone, asUserId('ann')), otpPolicy],
    );
    assert.deepEqual(message?.payload, { to: phone, userId: 'ann', language: 'de' });
    assert.deepEqual(
      [message?.kind, message?.channel, message?.expiresAt],
      [purpose, 'sms', noon + otpPolicy.lifeSeconds * 1000],
    );
    assert.notEqual(readAsker(secrets, text, { purpose, recipient: phone, userId: asUserId('ann') }, noon), undefined);
    assert.deepEqual(calls.at(-1), ['wakeDelivery', 'sms']);
  });

  it('a code to the phone of a test recipient is neither limited nor sent', async () => {
    const { deps, calls } = stageOf(ann, [{ recipient: phone, code: '111111', until: noon + 1 }]);
    await sendProofOtp(deps, input);
    const { check, brake, message, challenge } = givenTo<SendRequest>(calls, 'sendRequests.request');
    assert.deepEqual([check, brake, message, challenge?.purpose], [undefined, undefined, undefined, 'proof-phone']);
  });

  it('a code to a number that is no longer served is refused', async () => {
    const { deps, calls } = stageOf({ ...ann, phone: asPhone('+15550100001') });
    assert.deepEqual(await failureOf(sendProofOtp(deps, input)), ['PHONE_NOT_SUPPORTED', {}]);
    assert.deepEqual(calls, [['users.findUser', 'ann']]);
  });
});

describe('a code to one’s own address', () => {
  it('a code to one’s own address is requested without a brake, for the address as it is compared and as it was written', async () => {
    const { deps, calls } = stageOf(ann);
    await sendProofOtp(deps, { ...input, via: 'email' });
    const { check, brake, challenge, message, audit } = givenTo<SendRequest>(calls, 'sendRequests.request');
    const [purpose, recipient] = ['proof-email', 'ann@example.com'] as const;
    assert.deepEqual([check?.purpose, check?.recipient, brake], [purpose, recipient, undefined]);
    assert.deepEqual(
      [challenge?.slot, challenge?.policy],
      [challengeSlot(purpose, asEmailKey(recipient), asUserId('ann')), mailPolicy],
    );
    assert.deepEqual(message?.payload, { to: recipient, address: 'Ann@Example.com', userId: 'ann', language: 'de' });
    assert.deepEqual([message?.kind, message?.channel, message?.expiresAt], [purpose, 'mail', noon + 900_000]);
    assert.deepEqual(audit, {
      kind: 'otp.requested',
      userId: 'ann',
      detail: { email: asEmail('a•••@example.com'), ip: '192.0.2.1' },
    });
  });

  it('a code to the address of a test recipient is neither limited nor sent', async () => {
    const { deps, calls } = stageOf(ann, [{ recipient: 'ann@example.com', code: '111111', until: noon + 1 }]);
    await sendProofOtp(deps, { ...input, via: 'email' });
    const { check, message } = givenTo<SendRequest>(calls, 'sendRequests.request');
    assert.deepEqual([check, message], [undefined, undefined]);
  });

  it('a code to the address of a user without one is refused by the name of the field', async () => {
    const { deps, calls } = stageOf({ ...ann, email: undefined });
    const refused = failureOf(sendProofOtp(deps, { ...input, via: 'email' }));
    assert.deepEqual(await refused, ['REQUEST_INVALID', { field: 'via' }]);
    assert.deepEqual(calls, [['users.findUser', 'ann']]);
  });

  it('a code for a user who is gone is refused as an ended session', async () => {
    assert.deepEqual(await failureOf(sendProofOtp(stageOf(undefined).deps, input)), ['SESSION_REVOKED', {}]);
  });
});
