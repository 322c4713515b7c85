// The rules of signing in: who is refused, when a user is created, which link is valid, and what is audited.
import type { DatedEvent } from '../kernel/audit.ts';
import { maskPhone } from '../kernel/mask.ts';
import { judgeLink, type LinkOwner, type LinkRecord } from './login-link.ts';
import type { SessionDraft } from './session.ts';

/** What the rules need to know of a user. */
type KnownUser = { readonly isBlocked: boolean };

/** The outcome after a right code. closed: no user has the number, and sign-up is closed. sign up: a new user is created. */
export function judgePhoneSignIn({
  known,
  isSignupOpen,
}: {
  known: KnownUser | undefined;
  isSignupOpen: boolean;
}): 'closed' | 'blocked' | 'sign up' | 'sign in' {
  if (known === undefined) return isSignupOpen ? 'sign up' : 'closed';
  return known.isBlocked ? 'blocked' : 'sign in';
}

/**
 * Using a link ends the other links of the user, so a second link of the same user is lost in the same commit. The link of a blocked
 * user is used up too.
 */
export function judgeLinkSignIn({
  link,
  user,
  hasUsedLink,
  now,
}: {
  link: LinkRecord | undefined;
  user: (LinkOwner & KnownUser) | undefined;
  hasUsedLink: boolean;
  now: number;
}): 'lost' | 'expired' | 'blocked' | 'sign in' {
  if (hasUsedLink) return 'lost';
  const verdict = judgeLink(link, user, now);
  if (verdict !== 'valid') return verdict;
  return user?.isBlocked === true ? 'blocked' : 'sign in';
}

export function signedInEvent({ id, method, ip, now }: SessionDraft, userId: string): DatedEvent {
  return { kind: 'login.succeeded', userId, detail: { method, session: id, ip }, now };
}

/** Without a user id if no user has the number. */
export function refusedSignInEvent(
  { method, ip, now }: SessionDraft,
  reason: 'closed' | 'blocked',
  userId?: string,
): DatedEvent {
  return { kind: 'login.refused', ...(userId !== undefined && { userId }), detail: { reason, method, ip }, now };
}

export function signedUpEvent(userId: string, phone: string, now: number): DatedEvent {
  return { kind: 'user.created', userId, detail: { phone: maskPhone(phone) }, now };
}
