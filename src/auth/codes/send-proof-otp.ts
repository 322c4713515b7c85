// Use case: send a code to the user's own phone or e-mail address, so that the user can prove that it is still the same person.

import { Failure } from '../../kernel/failure.ts';
import type { UserId } from '../../kernel/ids.ts';
import type { Language } from '../../kernel/text/language.ts';
import type { AuthDeps } from '../deps.ts';
import { parseEmailAddress } from '../identity/email-address.ts';
import { readOwnPhone } from '../identity/own-phone.ts';
import type { User } from '../identity/user.ts';
import { askToSend } from './ask-to-send.ts';
import { type AskToken, writeAskToken } from './ask-token.ts';
import type { CodeSubject, OtpPolicy } from './challenge.ts';
import { mailCodeRequest } from './mail-code-request.ts';
import type { UncheckedRequest } from './send-request.ts';
import { type SmsSendDeps, smsCodeRequest } from './sms-code-request.ts';

type Deps = SmsSendDeps & Pick<AuthDeps, 'users'>;

/** The ways in by which a code can prove who the user is. */
export const proofWays = ['phone', 'email'] as const;

export type SendProofOtp = {
  readonly userId: UserId;
  readonly via: (typeof proofWays)[number];
  readonly captchaToken: string;
  readonly ip: string;
  readonly language: Language;
};

type Prepared = { readonly subject: CodeSubject; readonly policy: OtpPolicy; readonly request: UncheckedRequest };

export async function sendProofOtp(deps: Deps, input: SendProofOtp): Promise<AskToken> {
  const user = await deps.users.findUser(input.userId);
  if (user === undefined) throw new Failure('SESSION_REVOKED');
  const now = deps.clock.now();
  const { subject, policy, request } =
    input.via === 'phone' ? prepareSms(deps, user, input, now) : prepareMail(deps, user, input, now);
  await askToSend(deps, input, request);
  return writeAskToken(deps.secrets, subject, policy.lifeSeconds, now);
}

function prepareSms(deps: Deps, { id: userId, phone }: User, { ip, language }: SendProofOtp, now: number): Prepared {
  // Users see in their account what is bound, so this answer reveals nothing, here and below.
  if (phone === undefined) throw new Failure('REQUEST_INVALID', { field: 'via' });
  const own = readOwnPhone(deps, phone, now);
  if (own === undefined) throw new Failure('PHONE_NOT_SUPPORTED');
  const subject = { purpose: 'proof-phone' as const, recipient: phone, userId };
  const request = smsCodeRequest(deps, own, { subject, ip, now }, (entry) => ({
    ...entry,
    kind: subject.purpose,
    payload: { to: phone, userId, language },
  }));
  return { subject, policy: deps.otp.sms, request };
}

function prepareMail(deps: Deps, { id: userId, email }: User, { ip, language }: SendProofOtp, now: number): Prepared {
  if (email === undefined) throw new Failure('REQUEST_INVALID', { field: 'via' });
  const recipient = parseEmailAddress(email);
  const subject = { purpose: 'proof-email' as const, recipient: recipient.key, userId };
  return {
    subject,
    policy: deps.otp.mail,
    request: mailCodeRequest(deps, recipient, { ...subject, ip, language, now }),
  };
}
