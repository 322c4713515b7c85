// E-mail addresses: what is accepted, the form kept for sending, and the form that is compared.
import { Failure } from '../kernel/failure.ts';

export type EmailAddress = {
  /** As written, for sending. */
  readonly address: string;
  /** Lower-case, for comparing: one owner an address whatever its case. */
  readonly key: string;
};

/** As browsers check type=email, plus a dot in the domain: no quotes, comments, groups or control characters can get in. */
const syntax =
  /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)+$/i;

export function parseEmailAddress(text: string): EmailAddress {
  const address = text.trim().normalize('NFC');
  if (Buffer.byteLength(address) > 254 || !syntax.test(address)) throw new Failure('EMAIL_INVALID');
  return { address, key: address.toLowerCase() };
}
