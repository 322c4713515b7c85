// A change of number that staff start for a user who lost the phone: the same wait and the same notices as if the user had asked.

import type { Block } from '../../abuse/limits.ts';
import {
  type PhoneNotices,
  type PhoneOwner,
  type ScheduledPhone,
  scheduleAfter,
} from '../../auth/identity/phone-change.ts';
import type { Act } from '../../kernel/audit.ts';
import type { UserId } from '../../kernel/ids.ts';
import type { PhoneNumber } from '../../kernel/recipient.ts';
import type { Language } from '../../kernel/text/language.ts';

export type StaffPhoneChange = {
  readonly userId: UserId;
  readonly phone: PhoneNumber;
  readonly waitSeconds: number;
  /** The language of the notices, also of those that are sent when the change takes effect. */
  readonly language: Language;
  readonly notices: PhoneNotices;
  readonly by: Act;
  readonly now: number;
};

/** gone: there is no such user. own: the user has this number already. taken: another user has it. limited: see `block`. */
export type StaffPhoneOutcome =
  | { readonly kind: 'gone' | 'own' | 'taken' }
  | { readonly kind: 'limited'; readonly block: Block }
  | ({ readonly kind: 'scheduled' } & ScheduledPhone);

/**
 * Staff never change a number at once, not even where the account has none: nobody has proved the new one. It replaces a change that
 * is scheduled already, and starts the wait anew. `owner`: the id of the user who has the number now. `block`: the limit on
 * scheduling, if it refuses another one.
 */
export function judgeStaffChange(
  { user, owner, block }: { user: PhoneOwner | undefined; owner: UserId | undefined; block?: Block | undefined },
  { phone, waitSeconds, now }: Pick<StaffPhoneChange, 'phone' | 'waitSeconds' | 'now'>,
): StaffPhoneOutcome {
  if (user === undefined) return { kind: 'gone' };
  if (user.phone === phone) return { kind: 'own' };
  if (owner !== undefined) return { kind: 'taken' };
  if (block !== undefined) return { kind: 'limited', block };
  return { kind: 'scheduled', ...scheduleAfter(waitSeconds, phone, now) };
}

export type StaffPhoneStore = {
  /** Atomic: the change, its notices and its audit event. It replaces a change that is scheduled already. */
  schedulePhone(change: StaffPhoneChange): Promise<StaffPhoneOutcome>;
};
