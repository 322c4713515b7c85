// What messages are sent to and users sign in with: phone numbers and e-mail addresses. Only parsers make them.
import type { Brand } from './brand.ts';

/** In E.164. */
export type PhoneNumber = Brand<'PhoneNumber'>;

/** As the user typed it, for sending. */
export type EmailAddress = Brand<'EmailAddress'>;

/** Lower case, for comparison: an address has one owner, whatever its case. */
export type EmailKey = Brand<'EmailKey'>;

/** In the form that is compared: what limits count, and what codes are derived from. */
export type Recipient = PhoneNumber | EmailKey;
