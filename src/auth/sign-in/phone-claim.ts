// Claiming a number: its new holder starts a new account with it, and the account that was unused for long loses it and keeps the rest.

import type { DatedEvent } from '../../kernel/audit.ts';
import type { EmailAddress, PhoneNumber } from '../../kernel/recipient.ts';
import { maskPhone } from '../../kernel/text/mask.ts';
import { mailNoticeTo, type SentNotice } from '../notices/notice.ts';
import type { PhoneClaim } from './sign-in.ts';

/** The account of the ticket as it is now. */
export type ClaimedAccount = {
  readonly phone: PhoneNumber | undefined;
  readonly email: EmailAddress | undefined;
  readonly isBlocked: boolean;
  readonly lastUse: number;
};

/** An account without an e-mail address never loses its number: nobody could sign in to it any more. */
export function judgeClaim(
  account: ClaimedAccount | undefined,
  { ticket, isSignupOpen }: Pick<PhoneClaim, 'ticket' | 'isSignupOpen'>,
): 'lost' | 'blocked' | 'closed' | 'claimed' {
  if (account === undefined || account.phone !== ticket.phone || account.email === undefined) return 'lost';
  if (account.lastUse > ticket.lastUse) return 'lost';
  if (account.isBlocked) return 'blocked';
  return isSignupOpen ? 'claimed' : 'closed';
}

/** The address of the account gets a notice whatever the settings say: it is the only way back. */
export function lostNotice({ ticket: { userId, phone }, notice }: PhoneClaim, address: EmailAddress): SentNotice {
  return mailNoticeTo(notice, { userId, phone, address });
}

export function lostEvent({ ticket: { userId, phone }, session: { now } }: PhoneClaim): DatedEvent {
  return { kind: 'phone.lost', userId, detail: { old: maskPhone(phone) }, now };
}
