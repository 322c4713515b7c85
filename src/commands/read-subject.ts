// Whom `limits` is about: a recipient, or the address of a caller in the form in which limits know it.
import { type LimitSubject, readLimitSubject } from '../auth/recipient-limits.ts';
import { createClientAddress } from '../http/client-address.ts';

const canonical = createClientAddress([]);

export function readSubject(text: string): LimitSubject {
  return readLimitSubject(text, (address) => {
    const caller = canonical(address.replace(/\/64$/, ''), undefined);
    return caller === 'unknown' ? undefined : caller;
  });
}
