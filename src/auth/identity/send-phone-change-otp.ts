// Use case: send a code to the number that the signed-in user wants to have. Free, taken and own numbers take the same path.
import type { UserId } from '../../kernel/ids.ts';
import type { Language } from '../../kernel/text/language.ts';
import { askToSend } from '../codes/ask-to-send.ts';
import { type AskToken, writeAskToken } from '../codes/ask-token.ts';
import { readSmsRecipient, type SmsSendDeps, smsCodeRequest } from '../codes/sms-code-request.ts';

type SendPhoneChangeOtp = {
  readonly userId: UserId;
  readonly recipient: string;
  readonly captchaToken: string;
  readonly ip: string;
  readonly language: Language;
};

/** Nobody is looked up. Every number gets the code: only its holder learns whether another account has it. */
export async function sendPhoneChangeOtp(deps: SmsSendDeps, input: SendPhoneChangeOtp): Promise<AskToken> {
  const { userId, ip, language } = input;
  const now = deps.clock.now();
  const recipient = readSmsRecipient(deps, input.recipient, now);
  const subject = { purpose: 'phone-change' as const, recipient: recipient.phone, userId };
  const request = smsCodeRequest(deps, recipient, { subject, ip, now }, (entry) => ({
    ...entry,
    kind: subject.purpose,
    payload: { to: recipient.phone, userId, language },
  }));
  await askToSend(deps, input, request);
  return writeAskToken(deps.secrets, subject, deps.otp.sms.lifeSeconds, now);
}
