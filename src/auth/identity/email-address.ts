// E-mail addresses: the accepted syntax, the form for sending, and the form for comparison.
import { Failure } from '../../kernel/failure.ts';

export type EmailAddress = {
  /** As the user typed it, for sending. */
  readonly address: string;
  /** Lower case, for comparison: an address has one owner, whatever its case. */
  readonly key: string;
};

/** The browsers' check for type=email, plus a dot in the domain. Excludes quotes, comments, groups and control characters. */
const syntax =
  /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)+$/i;

/** The syntax has only ASCII, so it is one of bytes too. */
const longest = 254;

export function parseEmailAddress(text: string): EmailAddress {
  const address = text.trim().normalize('NFC');
  if (!isEmailAddress(address)) throw new Failure('EMAIL_INVALID');
  return { address, key: address.toLowerCase() };
}

/** Whether it is stored as an address. */
export function isEmailAddress(text: string): boolean {
  return text.length <= longest && syntax.test(text);
}

/** Whether it is stored as the key of an address. */
export function isEmailKey(text: string): boolean {
  return isEmailAddress(text) && text === text.toLowerCase();
}
