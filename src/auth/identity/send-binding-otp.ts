// Use case: send a code for binding an e-mail address. Every address takes the same path; the worker decides whether to send.

import { Failure } from '../../kernel/failure.ts';
import type { UserId } from '../../kernel/ids.ts';
import type { Language } from '../../kernel/text/language.ts';
import { askToSend } from '../codes/ask-to-send.ts';
import { type AskToken, writeAskToken } from '../codes/ask-token.ts';
import { mailCodeRequest } from '../codes/mail-code-request.ts';
import type { AuthDeps } from '../deps.ts';
import { isRecent } from '../sessions/recent-sign-in.ts';
import { parseEmailAddress } from './email-address.ts';

type Deps = Pick<
  AuthDeps,
  | 'clock'
  | 'secrets'
  | 'captcha'
  | 'sendRequests'
  | 'holdMessage'
  | 'wakeDelivery'
  | 'users'
  | 'testRecipients'
  | 'otp'
  | 'sends'
  | 'recentSeconds'
>;

type SendBindingOtp = {
  userId: UserId;
  provedAt: number | undefined;
  recipient: string;
  captchaToken: string;
  ip: string;
  language: Language;
};

export async function sendBindingOtp(deps: Deps, input: SendBindingOtp): Promise<AskToken> {
  const { address, key } = parseEmailAddress(input.recipient);
  const now = deps.clock.now();
  // Only a replacement needs a recent sign-in. Binding checks it again, so a race here only sends a message in vain.
  if (!isRecent(input.provedAt, deps.recentSeconds, now)) {
    const user = await deps.users.findUser(input.userId);
    if (user?.email !== undefined) throw new Failure('RECENT_SIGN_IN_REQUIRED');
  }
  const { userId, ip, language } = input;
  const subject = { purpose: 'email-binding' as const, recipient: key, userId };
  await askToSend(deps, input, mailCodeRequest(deps, { address, key }, { ...subject, ip, language, now }));
  return writeAskToken(deps.secrets, subject, deps.otp.mail.lifeSeconds, now);
}
