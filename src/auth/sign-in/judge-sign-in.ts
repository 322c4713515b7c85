// The rules of signing in: who is refused, when a user is created, which link is valid, and what is audited.

import type { DatedEvent } from '../../kernel/audit.ts';
import type { UserId } from '../../kernel/ids.ts';
import type { PhoneNumber } from '../../kernel/recipient.ts';
import { maskPhone } from '../../kernel/text/mask.ts';
import type { PhoneOwner } from '../identity/phone-change.ts';
import { judgeLink, type LinkOwner, type LinkRecord } from '../links/login-link.ts';
import { mailNoticeTo, type SentNotice, writeMailNotice } from '../notices/notice.ts';
import { isLongUnused } from '../sessions/last-use.ts';
import type { SessionDraft } from '../sessions/session.ts';
import type { SigningDevice } from './sign-in.ts';

/** What the rules need to know of a user. */
type KnownUser = { readonly isBlocked: boolean };

/** `lastUse`: of the account, whichever way in was used. */
type KnownAccount = KnownUser & { readonly hasEmail: boolean; readonly lastUse: number };

type RecycledRule = { readonly recycledSeconds: number; readonly now: number };

/**
 * The outcome after a right code. closed: no user has the number, and sign-up is closed. sign up: a new user is created. needs proof:
 * the account was unused for so long that the number may belong to somebody else now, and its owner has another way in.
 */
export function judgePhoneSignIn({
  known,
  isSignupOpen,
  ...rule
}: RecycledRule & {
  known: KnownAccount | undefined;
  isSignupOpen: boolean;
}): 'closed' | 'blocked' | 'needs proof' | 'sign up' | 'sign in' {
  if (known === undefined) return isSignupOpen ? 'sign up' : 'closed';
  if (known.isBlocked) return 'blocked';
  return mayBeRecycled(known, rule) ? 'needs proof' : 'sign in';
}

/** An account without an e-mail address has no other way in: whoever has the number has the account. */
export function mayBeRecycled(
  { hasEmail, lastUse }: Pick<KnownAccount, 'hasEmail' | 'lastUse'>,
  { recycledSeconds, now }: RecycledRule,
): boolean {
  return hasEmail && isLongUnused(lastUse, recycledSeconds, now);
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

/** A sign-in on a device that is new to the user is reported to the bound address. A new user has none, so signing up is not. */
export function newDeviceNotices(user: PhoneOwner, device: SigningDevice | undefined): SentNotice[] {
  if (device?.isReported !== true || device.knownUserId === user.id || user.email === undefined) return [];
  const notice = writeMailNotice(device.notice, 'new-device');
  return [mailNoticeTo(notice, { userId: user.id, phone: user.phone, address: user.email })];
}

export function signedInEvent(
  { id, method, ip, now }: SessionDraft,
  userId: UserId,
  device?: SigningDevice,
): DatedEvent {
  const known = device?.knownUserId === userId;
  return { kind: 'login.succeeded', userId, detail: { method, session: id, ip, device: known ? 'known' : 'new' }, now };
}

/** Without a user id if no user has the number. */
export function refusedSignInEvent(
  { method, ip, now }: SessionDraft,
  reason: 'closed' | 'blocked' | 'needs proof',
  userId?: UserId,
): DatedEvent {
  return { kind: 'login.refused', ...(userId !== undefined && { userId }), detail: { reason, method, ip }, now };
}

export function signedUpEvent(userId: UserId, phone: PhoneNumber, now: number): DatedEvent {
  return { kind: 'user.created', userId, detail: { phone: maskPhone(phone) }, now };
}
