// The subject of `limits`: a recipient, or the address of a caller in the form that limits are kept under.
import { canonicalAddress } from '../../http/server/client-address.ts';
import { type LimitSubject, readLimitSubject } from '../../support/recipient-limits.ts';

export function readSubject(text: string): LimitSubject {
  return readLimitSubject(text, canonicalAddress);
}
