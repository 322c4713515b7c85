// The shared step of every code by SMS: reads the number, and prepares the request with its limits, challenge, message and audit event.

import { sendCheck } from '../../abuse/sends.ts';
import { brakeCheck } from '../../abuse/sms-brake.ts';
import { newId, randomText } from '../../kernel/crypto/random.ts';
import { markRecipient } from '../../kernel/crypto/recipient-mark.ts';
import { Failure } from '../../kernel/failure.ts';
import type { PhoneNumber } from '../../kernel/recipient.ts';
import { maskPhone } from '../../kernel/text/mask.ts';
import type { CodeDraft } from '../../messages/message-kinds.ts';
import type { AuthDeps } from '../deps.ts';
import { parsePhoneNumber } from '../identity/phone-number.ts';
import { challengeSlot, type PhoneSubject } from './challenge.ts';
import type { UncheckedRequest } from './send-request.ts';
import { findTestRecipient } from './test-recipient.ts';

type Deps = Pick<AuthDeps, 'secrets' | 'testRecipients' | 'otp' | 'sends' | 'brake' | 'phoneTypes'>;

/** What a use case needs that sends a code to a number. */
export type SmsSendDeps = Deps & Pick<AuthDeps, 'clock' | 'captcha' | 'sendRequests' | 'holdMessage' | 'wakeDelivery'>;

export type SmsRecipient = { readonly phone: PhoneNumber; readonly country: string; readonly isTest: boolean };

/** A number as a caller wrote it, to which a code may be sent. */
export function readSmsRecipient(
  { testRecipients, brake, phoneTypes }: Pick<Deps, 'testRecipients' | 'brake' | 'phoneTypes'>,
  text: string,
  now: number,
): SmsRecipient {
  const isTestNumber = (phone: string) => findTestRecipient(testRecipients, phone, now) !== undefined;
  const { phone, country } = parsePhoneNumber(text, phoneTypes, isTestNumber);
  const isTest = isTestNumber(phone);
  const { countries } = brake;
  if (countries.length > 0 && !countries.includes(country) && !isTest) throw new Failure('PHONE_NOT_SUPPORTED');
  return { phone, country, isTest };
}

type SmsEntry = Pick<CodeDraft, 'id' | 'createdAt' | 'expiresAt'> & { readonly channel: 'sms' };

/** `draft`: adds the kind and the payload to the message. A test recipient gets none, and no limit applies. */
export function smsCodeRequest(
  deps: Deps,
  { phone, country, isTest }: SmsRecipient,
  { subject, ip, now }: { readonly subject: PhoneSubject; readonly ip: string; readonly now: number },
  draft: (entry: SmsEntry) => CodeDraft,
): UncheckedRequest {
  const { purpose, userId } = subject;
  const policy = deps.otp.sms;
  const { currentId: secretId, ids: secretIds } = deps.secrets;
  const entry = { id: newId(), channel: 'sms', createdAt: now, expiresAt: now + policy.lifeSeconds * 1000 } as const;
  const detail = { phone: maskPhone(phone), recipient: markRecipient(deps.secrets, phone), country, ip };
  return {
    check: isTest ? undefined : sendCheck({ purpose, recipient: phone, ip, policy: deps.sends.sms, now }),
    brake: isTest ? undefined : brakeCheck({ phone, country, policy: deps.brake, now }),
    challenge: {
      purpose,
      slot: challengeSlot(purpose, phone, userId),
      seed: { id: newId(), nonce: randomText(16), secretId, secretIds },
      policy,
    },
    message: isTest ? undefined : draft(entry),
    audit: userId === undefined ? { kind: 'otp.requested', detail } : { kind: 'otp.requested', userId, detail },
    now,
  };
}
