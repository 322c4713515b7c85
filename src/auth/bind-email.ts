// Use case: confirm an address with its code and bind it to the caller.
import { unreachable } from '../kernel/closed-list.ts';
import { Failure } from '../kernel/failure.ts';
import type { Language } from '../kernel/language.ts';
import { newId } from '../kernel/random.ts';
import { attemptFailure, type GivenCode, prepareAttempt } from './code-attempt.ts';
import type { AuthDeps } from './deps.ts';
import { parseEmailAddress } from './email-address.ts';

type Deps = Pick<AuthDeps, 'clock' | 'secrets' | 'bindings' | 'testRecipients' | 'otp' | 'wakeDelivery'>;

export type BindEmail = GivenCode & { readonly userId: string; readonly email: string; readonly language: Language };

/** Worth telling for so long. */
const noticeSeconds = 86_400;

export async function bindEmail(deps: Deps, input: BindEmail): Promise<void> {
  const { userId, email, language } = input;
  const { address, key } = parseEmailAddress(email);
  // One's own address is bound already: repeating the call is no error, whatever the code.
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
