// The life of a scheduled change of the phone number: its user sees and cancels it, and it takes effect when its time has come.

import type { Act, DatedEvent } from '../../kernel/audit.ts';
import type { UserId } from '../../kernel/ids.ts';
import type { PhoneNumber } from '../../kernel/recipient.ts';
import { unreachable } from '../../kernel/text/closed-list.ts';
import type { Language } from '../../kernel/text/language.ts';
import { maskPhone } from '../../kernel/text/mask.ts';
import type { PhoneTopic } from '../../messages/message-kinds.ts';
import { mailNoticeTo, type Notice, type SentNotice } from '../notices/notice.ts';
import type { SessionId } from '../sessions/session-id.ts';
import {
  type CancelledBy,
  changedNotices,
  type PhoneNotices,
  type PhoneOwner,
  phoneNotices,
  type ScheduledPhone,
  scheduleAfter,
  scheduledNotices,
} from './phone-change.ts';

/** Users cancel in a session, staff with a reason. */
export type PhoneCancellation = {
  readonly userId: UserId;
  readonly notices: PhoneNotices;
  readonly now: number;
} & ({ readonly sessionId: SessionId } | { readonly by: Act });

export function cancelledBy(cancellation: PhoneCancellation): CancelledBy {
  return 'by' in cancellation ? { how: 'staff', ...cancellation.by } : { how: 'user', session: cancellation.sessionId };
}

/** One round over the changes that are due. It handles at most as many as it has notices for. */
export type DueRound = {
  readonly notices: readonly PhoneNotices[];
  readonly waitSeconds: number;
  readonly now: number;
};

/** taken: another user has the number by now, so the change is dropped. `sessionIds`: the sessions that ended. */
export type DueOutcome =
  | { readonly kind: 'applied'; readonly sessionIds: readonly SessionId[] }
  | { readonly kind: 'taken' | 'announced' };

export type ScheduledPhoneStore = {
  findPhoneChange(userId: UserId): Promise<ScheduledPhone | undefined>;
  /** Atomic: of a cancellation and the change itself, one happens. False if no change is scheduled. */
  cancelPhoneChange(cancellation: PhoneCancellation): Promise<boolean>;
  /** How many changes are due, but no more than `most`. */
  countDuePhoneChanges(input: { readonly now: number; readonly most: number }): Promise<number>;
  /** Atomic: each change is handled once, by one node. Skips what another node holds. */
  applyPhoneChanges(round: DueRound): Promise<readonly DueOutcome[]>;
};

/**
 * The time of a change in a database that was restored or set back. The change may have been cancelled since, and the links of its
 * notices are gone. So it is announced again, and waits again.
 */
export const announceAgain = 0;

/** When a change takes effect. Undefined while it waits to be announced again, which for a blocked user is until the block ends. */
export function knownTimeOf({ effectiveAt }: ScheduledPhone): number | undefined {
  return effectiveAt === announceAgain ? undefined : effectiveAt;
}

/** `owner`: the id of the user who has the new number now. */
export function judgeDue(userId: UserId, effectiveAt: number, owner: UserId | undefined): DueOutcome['kind'] {
  if (effectiveAt === announceAgain) return 'announced';
  return owner === undefined || owner === userId ? 'applied' : 'taken';
}

/** What remains scheduled after a change was due. */
export function scheduledAfter(
  kind: DueOutcome['kind'],
  phone: PhoneNumber,
  { waitSeconds, now }: Pick<DueRound, 'waitSeconds' | 'now'>,
): ScheduledPhone | undefined {
  return kind === 'announced' ? scheduleAfter(waitSeconds, phone, now) : undefined;
}

/** Users can neither sign in nor cancel while they are blocked, so that time does not count: the wait goes on after the block. */
export function resumeAfterBlock(effectiveAt: number, blockedAt: number, now: number): number {
  return effectiveAt === announceAgain ? effectiveAt : effectiveAt + Math.max(0, now - blockedAt);
}

/**
 * The notices of a change that was due, in the language of the request that scheduled it. If the number is taken, only a mail is sent:
 * nothing has happened to the old number.
 */
export function dueNotices(
  drafts: PhoneNotices,
  user: PhoneOwner,
  { kind, scheduled, language }: { kind: DueOutcome['kind']; scheduled: ScheduledPhone; language: Language },
): SentNotice[] {
  const { phone } = scheduled;
  switch (kind) {
    case 'applied':
      return changedNotices(aboutTopic(drafts, 'phone-changed', language), user, phone);
    case 'announced':
      return scheduledNotices(aboutTopic(drafts, 'phone-change-scheduled', language), user, scheduled);
    case 'taken':
      return failedNotices(drafts.mail, user, phone, language);
    default:
      return unreachable(kind);
  }
}

function failedNotices(
  { message, tokenHash }: Notice<'notice'>,
  { id: userId, phone, email }: PhoneOwner,
  wanted: PhoneNumber,
  language: Language,
): SentNotice[] {
  if (email === undefined) return [];
  const payload = { ...message.payload, topic: 'phone-change-failed' as const, language, number: maskPhone(wanted) };
  return [mailNoticeTo({ message: { ...message, payload }, tokenHash }, { userId, phone, address: email })];
}

/** Both channels learn that a change was cancelled: a thief with the old phone or the mailbox may have cancelled it. */
export function cancelledNotices(notices: PhoneNotices, user: PhoneOwner, phone: PhoneNumber): SentNotice[] {
  return phoneNotices(notices, user, { phone, at: notices.mail.message.createdAt, target: { kind: 'not-me' } });
}

export function phoneFailedEvent(userId: UserId, phone: PhoneNumber, now: number): DatedEvent {
  return { kind: 'phone.change-failed', userId, detail: { phone: maskPhone(phone), reason: 'taken' }, now };
}

/** Notices are prepared before it is known what they report. */
function aboutTopic({ sms, mail }: PhoneNotices, topic: PhoneTopic, language: Language): PhoneNotices {
  return {
    sms: { ...sms, message: { ...sms.message, payload: { ...sms.message.payload, topic, language } } },
    mail: { ...mail, message: { ...mail.message, payload: { ...mail.message.payload, topic, language } } },
  };
}
