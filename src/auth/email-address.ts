// E-mail addresses: the accepted syntax, the form for sending, and the form for comparison.
import { Failure } from '../kernel/failure.ts';

export type EmailAddress = {
  /** As the user typed it, for sending. */
  readonly address: string;
  /** Lower case, for comparison: an address has one owner, whatever its case. */
  readonly key: string;
};

/** The browsers' check for type=email, plus a dot in the domain. Excludes quotes, comments, groups and control characters. */
const syntax =
  /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)+$/i;

export function parseEmailAddress(text: string): EmailAddress {
  const address = text.trim().normalize('NFC');
  if (Buffer.byteLength(address) > 254 || !syntax.test(address)) throw new Failure('EMAIL_INVALID');
  return { address, key: address.toLowerCase() };
}
