// Use case: send a code for binding an e-mail address. Every address takes the same path; the worker decides whether to send.
import type { Language } from '../kernel/language.ts';
import { maskEmail } from '../kernel/mask.ts';
import { newId, randomText } from '../kernel/random.ts';
import { askToSend } from './ask-to-send.ts';
import { type AskToken, writeAskToken } from './ask-token.ts';
import { challengeSlot } from './challenge.ts';
import type { AuthDeps } from './deps.ts';
import { parseEmailAddress } from './email-address.ts';
import { findTestRecipient } from './test-recipient.ts';

type Deps = Pick<
  AuthDeps,
  'clock' | 'secrets' | 'captcha' | 'sendRequests' | 'wakeDelivery' | 'testRecipients' | 'otp' | 'sends'
>;

export type SendBindingOtp = {
  userId: string;
  recipient: string;
  captchaToken: string;
  ip: string;
  language: Language;
};

export async function sendBindingOtp(deps: Deps, input: SendBindingOtp): Promise<AskToken> {
  const { address, key } = parseEmailAddress(input.recipient);
  const now = deps.clock.now();
  const purpose = 'email-binding' as const;
  const policy = deps.otp.mail;
  const { currentId: secretId, ids: secretIds } = deps.secrets;
  const isTest = findTestRecipient(deps.testRecipients, key, now) !== undefined;
  const message = {
    id: newId(),
    channel: 'mail' as const,
    kind: purpose,
    payload: { to: key, address, userId: input.userId, language: input.language },
    createdAt: now,
    expiresAt: now + policy.lifeSeconds * 1000,
  };
  await askToSend(deps, input, {
    check: isTest ? undefined : { purpose, recipient: key, ip: input.ip, policy: deps.sends.mail, now },
    brake: undefined,
    challenge: {
      purpose,
      slot: challengeSlot(purpose, key, input.userId),
      seed: { id: newId(), nonce: randomText(16), secretId, secretIds },
      policy,
    },
    message: isTest ? undefined : message,
    audit: { kind: 'otp.requested', userId: input.userId, detail: { email: maskEmail(key), ip: input.ip } },
    now,
  });
  const subject = { purpose, recipient: key, userId: input.userId };
  return writeAskToken(deps.secrets, subject, policy.lifeSeconds, now);
}
