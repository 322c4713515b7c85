// Use case: confirm an e-mail address with its code and bind it to the signed-in user.
import { unreachable } from '../kernel/closed-list.ts';
import { Failure } from '../kernel/failure.ts';
import type { Language } from '../kernel/language.ts';
import { newId } from '../kernel/random.ts';
import { attemptFailure, type GivenCode, prepareAttempt } from './code-attempt.ts';
import type { AuthDeps } from './deps.ts';
import { parseEmailAddress } from './email-address.ts';

type Deps = Pick<AuthDeps, 'clock' | 'secrets' | 'bindings' | 'testRecipients' | 'otp' | 'wakeDelivery'>;

export type BindEmail = GivenCode & { readonly userId: string; readonly email: string; readonly language: Language };

/** The worker does not send the notice after this time. */
const noticeSeconds = 86_400;

export async function bindEmail(deps: Deps, input: BindEmail): Promise<void> {
  const { userId, email, language } = input;
  const { address, key } = parseEmailAddress(email);
  // The address is already bound to this user: repeating the call succeeds, whatever the code.
  if ((await deps.bindings.findOwner(key)) === userId) return;
  const policy = deps.otp.mail;
  const attempt = prepareAttempt(deps, { purpose: 'email-binding', recipient: key, userId }, input, policy);
  const { now } = attempt;
  const notice = {
    id: newId(),
    channel: 'mail' as const,
    kind: 'email-replaced' as const,
    payload: { to: '', language },
    createdAt: now,
    expiresAt: now + noticeSeconds * 1000,
  };
  const outcome = await deps.bindings.bindEmail({ attempt, userId, address, emailKey: key, notice, now });
  switch (outcome.kind) {
    case 'bound':
      return deps.wakeDelivery(notice.channel);
    case 'taken':
      throw new Failure('EMAIL_TAKEN');
    case 'gone':
      throw new Failure('SESSION_REVOKED');
    case 'lost':
    case 'refused':
      throw attemptFailure(outcome, policy);
    default:
      return unreachable(outcome);
  }
}
