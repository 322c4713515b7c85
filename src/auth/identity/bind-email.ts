// Use case: confirm an e-mail address with its code and bind it to the signed-in user.

import { newId } from '../../kernel/crypto/random.ts';
import { Failure } from '../../kernel/failure.ts';
import type { UserId } from '../../kernel/ids.ts';
import type { EmailKey } from '../../kernel/recipient.ts';
import { unreachable } from '../../kernel/text/closed-list.ts';
import type { Language } from '../../kernel/text/language.ts';
import { attemptFailure, type GivenCode, prepareAttempt } from '../codes/code-attempt.ts';
import type { AuthDeps } from '../deps.ts';
import { noticeSeconds, prepareMailNotice, prepareSmsNotice } from '../notices/notice.ts';
import { isRecent } from '../sessions/recent-sign-in.ts';
import { parseEmailAddress } from './email-address.ts';
import type { BindingNotices } from './email-binding.ts';

type Deps = Pick<
  AuthDeps,
  | 'clock'
  | 'secrets'
  | 'bindings'
  | 'users'
  | 'testRecipients'
  | 'otp'
  | 'recentSeconds'
  | 'noticeChoice'
  | 'wakeDelivery'
>;

type BindEmail = GivenCode & {
  readonly userId: UserId;
  readonly provedAt: number | undefined;
  readonly email: string;
  readonly language: Language;
};

export async function bindEmail(deps: Deps, input: BindEmail): Promise<void> {
  const { userId, email, language } = input;
  const { address, key } = parseEmailAddress(email);
  const mayReplace = isRecent(input.provedAt, deps.recentSeconds, deps.clock.now());
  if (await isOwnAddress(deps, { userId, key, mayReplace })) return;
  const policy = deps.otp.mail;
  const attempt = prepareAttempt(deps, { purpose: 'email-binding', recipient: key, userId }, input, policy);
  const { now } = attempt;
  const notice = {
    id: newId(),
    channel: 'mail' as const,
    kind: 'email-replaced' as const,
    payload: { to: '' as const, language },
    createdAt: now,
    expiresAt: now + noticeSeconds * 1000,
  };
  const notices = prepareNotices(deps, mayReplace, { language, now });
  const binding = { attempt, userId, address, emailKey: key, mayReplace, notice, notices, now };
  const outcome = await deps.bindings.bindEmail(binding);
  switch (outcome.kind) {
    case 'bound':
      return deps.wakeDelivery(notices?.sms === undefined ? 'mail' : undefined);
    case 'stale':
      throw new Failure('RECENT_SIGN_IN_REQUIRED');
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

/**
 * The address is already bound to this user: repeating the call succeeds, whatever the code. Without a recent sign-in an address is
 * not replaced. This is found here, before the code is used up, and once more by the commit, which no other binding can overtake.
 */
async function isOwnAddress(
  { users, bindings }: Deps,
  { userId, key, mayReplace }: { userId: UserId; key: EmailKey; mayReplace: boolean },
): Promise<boolean> {
  if (mayReplace) return (await bindings.findOwner(key)) === userId;
  const bound = (await users.findUser(userId))?.email;
  if (bound === undefined) return false;
  if (parseEmailAddress(bound).key === key) return true;
  throw new Failure('RECENT_SIGN_IN_REQUIRED');
}

/** Without a recent sign-in the caller may be a thief with a token, who gets the mail: then the phone gets a notice too. */
function prepareNotices(
  { secrets, noticeChoice }: Pick<Deps, 'secrets' | 'noticeChoice'>,
  isRecentlyProved: boolean,
  about: { readonly language: Language; readonly now: number },
): BindingNotices | undefined {
  if (noticeChoice === 'off') return undefined;
  const isSentBySms = noticeChoice === 'mail+sms' || !isRecentlyProved;
  return {
    replaced: prepareMailNotice(secrets, 'email-replaced', about),
    bound: prepareMailNotice(secrets, 'email-bound', about),
    sms: isSentBySms ? prepareSmsNotice(secrets, 'email-bound', about) : undefined,
  };
}
