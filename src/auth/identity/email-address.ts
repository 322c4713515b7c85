// E-mail addresses: the accepted syntax, the form for sending, and the form for comparison.

import { Failure } from '../../kernel/failure.ts';
import type { EmailAddress, EmailKey } from '../../kernel/recipient.ts';

export type KeyedAddress = { readonly address: EmailAddress; readonly key: EmailKey };

/** The browsers' check for type=email, plus a dot in the domain. Excludes quotes, comments, groups and control characters. */
const syntax =
  /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)+$/i;

/** The syntax has only ASCII, so it is one of bytes too. */
const longest = 254;

export function parseEmailAddress(text: string): KeyedAddress {
  const address = text.trim().normalize('NFC');
  if (!isEmailAddress(address)) throw new Failure('EMAIL_INVALID');
  return { address, key: keyOf(address) };
}

export function keyOf(address: EmailAddress): EmailKey {
  return address.toLowerCase() as EmailKey;
}

/** Whether it is stored as an address. */
export function isEmailAddress(text: string): text is EmailAddress {
  return text.length <= longest && syntax.test(text);
}

/** Whether it is stored as the key of an address. */
export function isEmailKey(text: string): text is EmailKey {
  return isEmailAddress(text) && text === text.toLowerCase();
}
