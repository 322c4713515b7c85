// The rules of signing in: who is refused, who becomes a user, which link is valid, and what is written down.
import type { DatedEvent } from '../kernel/audit.ts';
import { maskPhone } from '../kernel/mask.ts';
import { judgeLink, type LinkOwner, type LinkRecord } from './login-link.ts';
import type { SessionDraft } from './session.ts';

/** A user as far as signing in goes. */
type KnownUser = { readonly isBlocked: boolean };

/** After a code was proved. closed: nobody has the number, and nobody new may sign up. sign up: the number makes a user. */
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
 * Using one link ends the user's others, so a second link of one user is lost in the same commit. A blocked user's link is used up
 * all the same.
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
  const verdict = judgeLink(link, user, now);
  if (verdict !== 'valid') return verdict;
  if (hasUsedLink) return 'lost';
  return user?.isBlocked === true ? 'blocked' : 'sign in';
}

export function signedInEvent({ id, method, ip, now }: SessionDraft, userId: string): DatedEvent {
  return { kind: 'login.succeeded', userId, detail: { method, session: id, ip }, now };
}

/** Without a user where nobody has the number. */
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
