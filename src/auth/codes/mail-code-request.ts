// The shared step of every code by e-mail: prepares the request with its limits, challenge, message and audit event.

import { sendCheck } from '../../abuse/sends.ts';
import { newId, randomText } from '../../kernel/crypto/random.ts';
import type { UserId } from '../../kernel/ids.ts';
import type { Language } from '../../kernel/text/language.ts';
import { maskEmail } from '../../kernel/text/mask.ts';
import type { AuthDeps } from '../deps.ts';
import type { KeyedAddress } from '../identity/email-address.ts';
import { challengeSlot } from './challenge.ts';
import type { UncheckedRequest } from './send-request.ts';
import { findTestRecipient } from './test-recipient.ts';

type Deps = Pick<AuthDeps, 'secrets' | 'testRecipients' | 'otp' | 'sends'>;

type MailCode = {
  readonly purpose: 'email-binding' | 'proof-email';
  readonly userId: UserId;
  readonly ip: string;
  readonly language: Language;
  readonly now: number;
};

/** A test recipient gets no message, and no limit applies. */
export function mailCodeRequest(
  deps: Deps,
  { address, key }: KeyedAddress,
  { purpose, userId, ip, language, now }: MailCode,
): UncheckedRequest {
  const policy = deps.otp.mail;
  const { currentId: secretId, ids: secretIds } = deps.secrets;
  const isTest = findTestRecipient(deps.testRecipients, key, now) !== undefined;
  const message = {
    id: newId(),
    channel: 'mail' as const,
    kind: purpose,
    payload: { to: key, address, userId, language },
    createdAt: now,
    expiresAt: now + policy.lifeSeconds * 1000,
  };
  return {
    check: isTest ? undefined : sendCheck({ purpose, recipient: key, ip, policy: deps.sends.mail, now }),
    brake: undefined,
    challenge: {
      purpose,
      slot: challengeSlot(purpose, key, userId),
      seed: { id: newId(), nonce: randomText(16), secretId, secretIds },
      policy,
    },
    message: isTest ? undefined : message,
    audit: { kind: 'otp.requested', userId, detail: { email: maskEmail(key), ip } },
    now,
  };
}
