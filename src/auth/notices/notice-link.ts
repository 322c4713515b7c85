// The link of a notice: it works once, ends every session of its user and every open sign-in link, and may undo a change of the number.

import type { DatedEvent } from '../../kernel/audit.ts';
import type { UserId } from '../../kernel/ids.ts';
import type { PhoneNumber } from '../../kernel/recipient.ts';
import type { PhoneNotices } from '../identity/phone-change.ts';
import { linkTimes } from '../links/login-link.ts';
import type { SessionEnd } from '../sessions/session.ts';
import type { SessionId } from '../sessions/session-id.ts';
import { type NoticeTarget, noticeLinkSeconds } from './notice.ts';
import type { NoticeSmsCheck } from './notice-sms.ts';

/** The store keeps these values. */
export const noticeLinkStates = ['issued', 'consumed'] as const;

export type NoticeLinkState = (typeof noticeLinkStates)[number];

/** A link as the store keeps it. The state and the target of a later version are undefined. */
export type NoticeLinkRecord = {
  readonly state: NoticeLinkState | undefined;
  readonly target: NoticeTarget | undefined;
  readonly createdAt: number;
  readonly expiresAt: number;
};

/** lost: unknown or used, or the account is gone. */
export function judgeNoticeLink(
  link: NoticeLinkRecord | undefined,
  hasUser: boolean,
  now: number,
): 'lost' | 'expired' | 'valid' {
  if (link?.state !== 'issued' || link.target === undefined || !hasUser) return 'lost';
  return now >= link.expiresAt ? 'expired' : 'valid';
}

/**
 * The open links of the same user that end with a link that undoes a change: those that would undo a change of the same time or a
 * later one. So a thief who has changed the number twice cannot restore his own after the owner has restored hers.
 */
export function chooseOutdated<Link extends NoticeLinkRecord>(used: NoticeLinkRecord, links: readonly Link[]): Link[] {
  if (used.target?.kind !== 'undo-phone') return [];
  return links.filter(
    ({ state, target, createdAt }) =>
      state === 'issued' && target?.kind === 'undo-phone' && createdAt >= used.createdAt,
  );
}

/**
 * The open links that end when the user changes back to a number that one of them restores: those of the change away from it and of
 * later ones that would restore another number. Undefined if this is no change back. A change back has no undo: a thief who held the
 * phone for some minutes, and changed the number to his own and back, would restore his own after the owner's link has expired.
 */
export function chooseOutdatedByReturn<Link extends NoticeLinkRecord>(
  phone: PhoneNumber,
  links: readonly Link[],
  now: number,
): Link[] | undefined {
  const open = links.flatMap((link) =>
    link.target?.kind === 'undo-phone' && judgeNoticeLink(link, true, now) === 'valid'
      ? [{ link, restores: link.target.phone }]
      : [],
  );
  const own = open.filter(({ restores }) => restores === phone);
  if (own.length === 0) return undefined;
  const since = Math.min(...own.map(({ link }) => link.createdAt));
  return open.filter(({ link, restores }) => restores !== phone && link.createdAt >= since).map(({ link }) => link);
}

/** When a link of a notice that is sent now ends, and when it may be forgotten. `until`: it works at least until then. */
export function noticeLinkTimes(now: number, until = 0): { expiresAt: number; keptUntil: number } {
  const { expiresAt, keptUntil } = linkTimes(noticeLinkSeconds, now);
  const longer = Math.max(0, until - expiresAt);
  return { expiresAt: expiresAt + longer, keptUntil: keptUntil + longer };
}

export const notMeEnd: SessionEnd = 'not me';

/** A link that is not used up can be opened again: then only the sessions that it ended are an event. */
export function notMeEvents({
  userId,
  sessions,
  isUsedUp,
  now,
}: {
  readonly userId: UserId;
  readonly sessions: number;
  readonly isUsedUp: boolean;
  readonly now: number;
}): DatedEvent[] {
  return isUsedUp || sessions > 0 ? [{ kind: 'user.not-me', userId, detail: { sessions }, now }] : [];
}

/** `cancelled`: sent if the link cancels a scheduled change of the number. */
export type NotMe = { readonly tokenHash: string; readonly cancelled?: PhoneNotices; readonly now: number };

/**
 * `sessionIds`: the sessions that ended. taken: they ended, but another account has the old number by now. The link stays valid, for
 * when that number is free. `hasCancelled`: a change of the number was scheduled, and is cancelled.
 */
export type NotMeOutcome =
  | { readonly kind: 'ended' | 'taken'; readonly sessionIds: readonly SessionId[]; readonly hasCancelled?: true }
  | { readonly kind: 'lost' | 'expired' };

export type NoticeStore = {
  /**
   * Atomic: one of several racing calls with the same link ends the sessions. It also ends the user's sign-in links, cancels a
   * scheduled change of the number, and undoes a change if that is what the link is for.
   */
  redeemNotice(input: NotMe): Promise<NotMeOutcome>;
  /** Counts a notice by text message. False if it must not be sent: the brake is on, or the number has had enough of them. */
  admitNoticeSms(check: NoticeSmsCheck): Promise<boolean>;
};
