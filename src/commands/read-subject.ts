// Whom `limits` is about: a recipient, or the address of a caller in the form in which limits know it.

import { canonicalAddress } from '../http/server/client-address.ts';
import { type LimitSubject, readLimitSubject } from '../support/recipient-limits.ts';

export function readSubject(text: string): LimitSubject {
  return readLimitSubject(text, canonicalAddress);
}
