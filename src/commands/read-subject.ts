// Whom `limits` is about: a recipient, or the address of a caller in the form in which limits know it.
import { type LimitSubject, readLimitSubject } from '../auth/recipient-limits.ts';
import { canonicalAddress } from '../http/client-address.ts';

export function readSubject(text: string): LimitSubject {
  return readLimitSubject(text, canonicalAddress);
}
