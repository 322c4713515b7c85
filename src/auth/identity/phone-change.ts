// Changing the phone number of an account, at once or after a wait: who may, who is notified, what is audited, and how it is undone.

import type { Block } from '../../abuse/limits.ts';
import type { Act, DatedEvent } from '../../kernel/audit.ts';
import type { Secrets } from '../../kernel/crypto/secrets.ts';
import type { UserId } from '../../kernel/ids.ts';
import type { EmailAddress, PhoneNumber } from '../../kernel/recipient.ts';
import type { Language } from '../../kernel/text/language.ts';
import { maskPhone } from '../../kernel/text/mask.ts';
import type { PhoneTopic } from '../../messages/message-kinds.ts';
import type { CodeAttempt, UnprovedAttempt } from '../codes/challenge.ts';
import {
  anotherDraft,
  draftNotice,
  mailNoticeTo,
  type Notice,
  type NoticeDraft,
  type NoticeTarget,
  type SentNotice,
  smsNoticeTo,
  writeMailNotice,
  writeSmsNotice,
} from '../notices/notice.ts';
import type { ProofMethod, SessionEnd } from '../sessions/session.ts';
import type { SessionId } from '../sessions/session-id.ts';
import type { User } from './user.ts';

export type PhoneChange = {
  readonly attempt: CodeAttempt;
  readonly userId: UserId;
  /** The session that asks for the change. It goes on, the others end. */
  readonly sessionId: SessionId;
  readonly phone: PhoneNumber;
  /** The country whose used codes the spending brake counts. Undefined if it does not count this one. */
  readonly country: string | undefined;
  readonly waitSeconds: number;
  /** The language of the notices, also of those that are sent when the change takes effect. */
  readonly language: Language;
  readonly notices: { readonly changed: PhoneNotices; readonly scheduled: PhoneNotices };
  readonly now: number;
};

/** A change that takes effect later. A user has at most one. */
export type ScheduledPhone = { readonly phone: PhoneNumber; readonly effectiveAt: number };

/** own: the user has this number already. limited: too many were scheduled. `sessionIds`: the sessions that ended. */
export type PhoneChangeOutcome =
  | { readonly kind: 'changed'; readonly user: User; readonly sessionIds: readonly SessionId[] }
  | { readonly kind: 'own'; readonly user: User }
  | ({ readonly kind: 'scheduled' } & ScheduledPhone)
  | { readonly kind: 'limited'; readonly block: Block }
  | { readonly kind: 'taken' | 'gone' }
  | UnprovedAttempt;

export type PhoneStore = {
  /** Atomic: consumes the code, and changes the number or schedules it. Of several users who race for one number, one gets it. */
  changePhone(change: PhoneChange): Promise<PhoneChangeOutcome>;
};

/** What the rules need to know of a user. */
export type PhoneOwner = {
  readonly id: UserId;
  readonly phone: PhoneNumber | undefined;
  readonly email: EmailAddress | undefined;
};

/** gone: the user was deleted or the session ended meanwhile. taken: another user has the number. limited: see `block`. */
export type PhoneVerdict =
  | { readonly kind: 'gone' | 'own' | 'taken' | 'changed' }
  | { readonly kind: 'limited'; readonly block: Block }
  | ({ readonly kind: 'scheduled' } & ScheduledPhone);

type PhoneChangeState = {
  readonly user: PhoneOwner | undefined;
  readonly owner: UserId | undefined;
  readonly proof: ProofMethod | undefined;
  readonly block?: Block | undefined;
};

/**
 * After the code was proved. `owner`: the id of the user who has the number now. `proof`: how the user of the session was last
 * proved; undefined if the session has ended. Only somebody who holds the old number, or has none, changes it at once. `block`: the
 * limit on scheduling, if it refuses another one.
 */
export function judgePhoneChange(
  { user, owner, proof, block }: PhoneChangeState,
  { phone, waitSeconds, now }: Pick<PhoneChange, 'phone' | 'waitSeconds' | 'now'>,
): PhoneVerdict {
  if (user === undefined || proof === undefined) return { kind: 'gone' };
  if (user.phone === phone) return { kind: 'own' };
  if (owner !== undefined && owner !== user.id) return { kind: 'taken' };
  if (proof === 'sms' || user.phone === undefined) return { kind: 'changed' };
  if (block !== undefined) return { kind: 'limited', block };
  return { kind: 'scheduled', ...scheduleAfter(waitSeconds, phone, now) };
}

/** The wait gives the holder of the old number and of the address time to cancel. */
export function scheduleAfter(waitSeconds: number, phone: PhoneNumber, now: number): ScheduledPhone {
  return { phone, effectiveAt: now + waitSeconds * 1000 };
}

/** Why the other sessions of the user end. */
export const phoneChangedEnd: SessionEnd = 'phone changed';

/** To the number and to the address. They are sent whatever NOTICES says: their links are the only way back. */
export type PhoneNotices = { readonly sms: Notice<'notice-sms'>; readonly mail: Notice<'notice'> };

export function preparePhoneNotices(
  secrets: Secrets,
  topic: PhoneTopic,
  about: { readonly language: Language; readonly now: number },
): PhoneNotices {
  return writePhoneNotices(draftNotice(secrets, about), topic);
}

export function writePhoneNotices(draft: NoticeDraft, topic: PhoneTopic): PhoneNotices {
  return { sms: writeSmsNotice(draft, topic), mail: writeMailNotice(anotherDraft(draft), topic) };
}

/** `user`: as before the change. Each message has a link of its own that restores the old number. */
export function changedNotices(notices: PhoneNotices, user: PhoneOwner, phone: PhoneNumber): SentNotice[] {
  const at = notices.mail.message.createdAt;
  return phoneNotices(notices, user, { phone, at, target: { kind: 'undo-phone', phone: user.phone } });
}

/** A change back to the number that an open link restores has no undo: its links only end the sessions. */
export function withoutUndo(notice: SentNotice): SentNotice {
  const { message } = notice;
  const target = { kind: 'not-me' } as const;
  if (message.kind !== 'notice') return { ...notice, target };
  return { ...notice, target, message: { ...message, payload: { ...message.payload, isFinal: true } } };
}

/** Each message has a link of its own that cancels the change, until it takes effect. */
export function scheduledNotices(
  notices: PhoneNotices,
  user: PhoneOwner,
  { phone, effectiveAt }: ScheduledPhone,
): SentNotice[] {
  const sent = phoneNotices(notices, user, { phone, at: effectiveAt, target: { kind: 'cancel-phone' } });
  return sent.map((notice) => ({ ...notice, linkUntil: effectiveAt }));
}

/** `phone`: the new number, which the mail names masked. `at`: the time that the mail names. */
export function phoneNotices(
  { sms, mail }: PhoneNotices,
  { id: userId, phone: old, email }: PhoneOwner,
  { phone, at, target }: { phone: PhoneNumber; at: number; target: NoticeTarget },
): SentNotice[] {
  const { topic } = sms.message.payload;
  const payload = { ...mail.message.payload, at, number: maskPhone(phone) };
  const dated = { ...mail, message: { ...mail.message, payload } };
  return [
    ...(old === undefined ? [] : [smsNoticeTo(sms, { userId, phone: old, topic })]),
    ...(email === undefined ? [] : [mailNoticeTo(dated, { userId, phone: old, address: email })]),
  ].map((notice) => ({ ...notice, target }));
}

/** How a number changed: by its code, after the wait, or by the link of a notice. */
type PhoneChangeWay = 'code' | 'wait' | 'undo';

export function phoneChangedEvent(
  { id: userId, phone: old }: Pick<PhoneOwner, 'id' | 'phone'>,
  { phone, how, sessions, now }: { phone: PhoneNumber | undefined; how: PhoneChangeWay; sessions: number; now: number },
): DatedEvent {
  const detail = { how, sessions, ...maskedAs('old', old), ...maskedAs('phone', phone) };
  return { kind: 'phone.changed', userId, detail, now };
}

/** `by` is left out where users change their own number. */
export function phoneScheduledEvent(
  { id: userId, phone: old }: Pick<PhoneOwner, 'id' | 'phone'>,
  { phone, effectiveAt }: ScheduledPhone,
  { by, now }: { by?: Act; now: number },
): DatedEvent {
  const at = new Date(effectiveAt).toISOString();
  return {
    kind: 'phone.change-scheduled',
    userId,
    detail: { effectiveAt: at, ...maskedAs('old', old), ...maskedAs('phone', phone), ...by },
    now,
  };
}

/** Who cancelled a scheduled change: the user, the link of a notice, a sign-in with the old number, or staff. */
type PhoneCancelWay = 'user' | 'link' | 'sign-in' | 'staff';

/** `session`: in which the user cancelled it, or which the sign-in began. */
export type CancelledBy =
  | { readonly how: Exclude<PhoneCancelWay, 'staff'>; readonly session?: string }
  | ({ readonly how: 'staff' } & Act);

export function phoneCancelledEvent(userId: UserId, phone: PhoneNumber, by: CancelledBy, now: number): DatedEvent {
  return { kind: 'phone.change-cancelled', userId, detail: { ...by, ...maskedAs('phone', phone) }, now };
}

function maskedAs<Name extends string>(name: Name, phone: PhoneNumber | undefined): { [N in Name]?: string } {
  const detail: { [N in Name]?: string } = {};
  if (phone !== undefined) detail[name] = maskPhone(phone);
  return detail;
}

/**
 * The link of a notice restores the number `old`, or none if the account had none. taken: another user has it now. kept: the user has
 * it already, or it would leave the account without a way in.
 */
export function judgeUndo(
  { user, owner }: { user: PhoneOwner; owner: UserId | undefined },
  old: string | undefined,
): 'kept' | 'taken' | 'restored' {
  if (user.phone === old || (old === undefined && user.email === undefined)) return 'kept';
  return owner !== undefined && owner !== user.id ? 'taken' : 'restored';
}
