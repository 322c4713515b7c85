// Use case: send a one-time code to a phone. Known and new numbers take the same path.

import type { Language } from '../../kernel/text/language.ts';
import { askToSend } from './ask-to-send.ts';
import { type AskToken, writeAskToken } from './ask-token.ts';
import { readSmsRecipient, type SmsSendDeps, smsCodeRequest } from './sms-code-request.ts';

type SendPhoneOtp = { recipient: string; captchaToken: string; ip: string; language: Language };

export async function sendPhoneOtp(deps: SmsSendDeps, input: SendPhoneOtp): Promise<AskToken> {
  const { ip, language } = input;
  const now = deps.clock.now();
  const recipient = readSmsRecipient(deps, input.recipient, now);
  const subject = { purpose: 'phone-login' as const, recipient: recipient.phone };
  const request = smsCodeRequest(deps, recipient, { subject, ip, now }, (entry) => ({
    ...entry,
    kind: subject.purpose,
    payload: { to: recipient.phone, language },
  }));
  await askToSend(deps, input, request);
  return writeAskToken(deps.secrets, subject, deps.otp.sms.lifeSeconds, now);
}
