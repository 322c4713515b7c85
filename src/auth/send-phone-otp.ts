// Use case: send a one-time code to a phone. Known and new numbers take the same path.

import { Failure } from '../kernel/failure.ts';
import type { Language } from '../kernel/language.ts';
import { maskPhone } from '../kernel/mask.ts';
import { newId, randomText } from '../kernel/random.ts';
import { markRecipient } from '../kernel/recipient-mark.ts';
import { askToSend } from './ask-to-send.ts';
import { type AskToken, writeAskToken } from './ask-token.ts';
import { challengeSlot } from './challenge.ts';
import type { AuthDeps } from './deps.ts';
import { parsePhoneNumber } from './phone-number.ts';
import { findTestRecipient } from './test-recipient.ts';

type Deps = Pick<
  AuthDeps,
  | 'clock'
  | 'secrets'
  | 'captcha'
  | 'sendRequests'
  | 'wakeDelivery'
  | 'testRecipients'
  | 'otp'
  | 'sends'
  | 'brake'
  | 'phoneTypes'
>;

export type SendPhoneOtp = { recipient: string; captchaToken: string; ip: string; language: Language };

export async function sendPhoneOtp(deps: Deps, input: SendPhoneOtp): Promise<AskToken> {
  const now = deps.clock.now();
  const isTest = (phone: string) => findTestRecipient(deps.testRecipients, phone, now) !== undefined;
  const { phone, country } = parsePhoneNumber(input.recipient, deps.phoneTypes, isTest);
  const { countries } = deps.brake;
  if (countries.length > 0 && !countries.includes(country) && !isTest(phone)) throw new Failure('PHONE_NOT_SUPPORTED');
  const purpose = 'phone-login' as const;
  const policy = deps.otp.sms;
  const { currentId: secretId, ids: secretIds } = deps.secrets;
  const seed = { id: newId(), nonce: randomText(16), secretId, secretIds };
  const sendParts = isTest(phone)
    ? { check: undefined, brake: undefined, message: undefined }
    : {
        check: { purpose, recipient: phone, ip: input.ip, policy: deps.sends.sms, now },
        brake: { phone, country, policy: deps.brake, now },
        message: {
          id: newId(),
          channel: 'sms' as const,
          kind: purpose,
          payload: { to: phone, language: input.language },
          createdAt: now,
          expiresAt: now + policy.lifeSeconds * 1000,
        },
      };
  const recipient = markRecipient(deps.secrets, phone);
  await askToSend(deps, input, {
    ...sendParts,
    challenge: { purpose, slot: challengeSlot(purpose, phone), seed, policy },
    audit: { kind: 'otp.requested', detail: { phone: maskPhone(phone), recipient, country, ip: input.ip } },
    now,
  });
  return writeAskToken(deps.secrets, { purpose, recipient: phone }, policy.lifeSeconds, now);
}
