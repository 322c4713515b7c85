// Binding an e-mail address to a user: one commit consumes the code and assigns the address.

import type { Act, DatedEvent } from '../../kernel/audit.ts';
import type { UserId } from '../../kernel/ids.ts';
import type { EmailAddress, EmailKey, PhoneNumber } from '../../kernel/recipient.ts';
import { maskEmail } from '../../kernel/text/mask.ts';
import type { MessageOf } from '../../messages/message-kinds.ts';
import type { CodeAttempt, UnprovedAttempt } from '../codes/challenge.ts';
import { mailNoticeTo, type Notice, type SentNotice, smsNoticeTo } from '../notices/notice.ts';
import type { KeyedAddress } from './email-address.ts';

export type BindingOutcome =
  | { readonly kind: 'bound' }
  | { readonly kind: 'taken' }
  | { readonly kind: 'gone' }
  | { readonly kind: 'stale' }
  | UnprovedAttempt;

export type EmailBinding = {
  readonly attempt: CodeAttempt;
  readonly userId: UserId;
  readonly address: EmailAddress;
  readonly emailKey: EmailKey;
  /** False if the user was not proved recently: the first address may be bound, but none replaced. */
  readonly mayReplace: boolean;
  /** Sent to the replaced address if notices are off. The store fills in the recipient. */
  readonly notice: MessageOf<'email-replaced'>;
  readonly notices?: BindingNotices | undefined;
  readonly now: number;
};

/** To the replaced address, to the new one, and to the phone. Undefined if notices are off. */
export type BindingNotices = {
  readonly replaced: Notice<'notice'>;
  readonly bound: Notice<'notice'>;
  readonly sms: Notice<'notice-sms'> | undefined;
};

export type BindingStore = {
  /** Atomic: if several users race for one address, exactly one gets it. */
  bindEmail(binding: EmailBinding): Promise<BindingOutcome>;
  /** The user id of the owner. Only for the delivery worker and for binding, never for a request that sends a message. */
  findOwner(emailKey: EmailKey): Promise<string | undefined>;
  /** Atomic: the address no longer signs its user in, and is free again. */
  removeEmail(removal: EmailRemoval): Promise<RemovalOutcome>;
};

/**
 * gone: the user was deleted meanwhile. stale: the user has an address and was not proved recently. taken: another user has the
 * address. own: the user has exactly this address, so nothing changes. `replaced`: the address that the user had before.
 */
export type BindingVerdict =
  | { readonly kind: 'gone' | 'stale' | 'taken' | 'own' }
  | { readonly kind: 'bound'; readonly replaced: KeyedAddress | undefined };

/** After the code was proved. `owner`: the id of the user who has the address now. */
export function judgeBinding(
  { user, owner }: { user: { readonly bound: KeyedAddress | undefined } | undefined; owner: UserId | undefined },
  { userId, address, emailKey, mayReplace }: Pick<EmailBinding, 'userId' | 'address' | 'emailKey' | 'mayReplace'>,
): BindingVerdict {
  if (user === undefined) return { kind: 'gone' };
  if (user.bound !== undefined && user.bound.key !== emailKey && !mayReplace) return { kind: 'stale' };
  if (owner !== undefined && owner !== userId) return { kind: 'taken' };
  if (user.bound?.address === address) return { kind: 'own' };
  return { kind: 'bound', replaced: user.bound?.key === emailKey ? undefined : user.bound };
}

/** The notices of a new address. Each message has its own link, so no reader can use up the link of another. */
export function boundNotices(
  { userId, address, notice, notices }: EmailBinding,
  phone: PhoneNumber | undefined,
  replaced: KeyedAddress | undefined,
): SentNotice[] {
  if (notices === undefined) {
    if (replaced === undefined) return [];
    return [{ userId, message: { ...notice, payload: { ...notice.payload, to: replaced.address } } }];
  }
  const topic = replaced === undefined ? 'email-bound' : 'email-replaced';
  return [
    ...(replaced === undefined ? [] : [mailNoticeTo(notices.replaced, { userId, phone, address: replaced.address })]),
    mailNoticeTo(notices.bound, { userId, phone, address }),
    ...(notices.sms === undefined || phone === undefined ? [] : [smsNoticeTo(notices.sms, { userId, phone, topic })]),
  ];
}

export function boundEvents({ userId, address, now }: EmailBinding, replaced: KeyedAddress | undefined): DatedEvent[] {
  const bound: DatedEvent = { kind: 'email.bound', userId, detail: { email: maskEmail(address) }, now };
  if (replaced === undefined) return [bound];
  return [{ kind: 'email.replaced', userId, detail: { old: maskEmail(replaced.address) }, now }, bound];
}

/** `by` is left out where users remove their own address. Without `notices`, nobody gets one. */
export type EmailRemoval = {
  readonly userId: UserId;
  readonly by?: Act;
  readonly notices?: { readonly mail: Notice<'notice'>; readonly sms: Notice<'notice-sms'> | undefined };
  /** A journal repeats what happened. */
  readonly isRepeat?: boolean;
  readonly now: number;
};

/** none: there is no address. last: the account has no phone number, so the address is the only way in. */
export type RemovalOutcome = 'removed' | 'none' | 'last';

/** A journal repeats what happened, whatever else is in the account: an address that was removed may belong to somebody else now. */
export function judgeRemoval(
  { phone, bound }: { phone: PhoneNumber | undefined; bound: KeyedAddress | undefined },
  { isRepeat = false }: Pick<EmailRemoval, 'isRepeat'>,
): RemovalOutcome {
  if (bound === undefined) return 'none';
  return phone === undefined && !isRepeat ? 'last' : 'removed';
}

/** Notices to the removed address and to the phone. */
export function removedNotices(
  { userId, notices }: EmailRemoval,
  phone: PhoneNumber | undefined,
  removed: KeyedAddress,
): SentNotice[] {
  if (notices === undefined) return [];
  const { mail, sms } = notices;
  return [
    mailNoticeTo(mail, { userId, phone, address: removed.address }),
    ...(sms === undefined || phone === undefined ? [] : [smsNoticeTo(sms, { userId, phone, topic: 'email-removed' })]),
  ];
}

export function removedEvent({ userId, by, now }: EmailRemoval, removed: KeyedAddress): DatedEvent {
  return { kind: 'email.removed', userId, detail: { old: maskEmail(removed.address), ...by }, now };
}
