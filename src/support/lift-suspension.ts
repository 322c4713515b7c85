// Use case: turn the spending brake off for one country or for all, by resetting its counters.

import type { LimitStore } from '../abuse/limit-store.ts';
import { dayCounter, usageCounterId } from '../abuse/sms-brake.ts';
import { suspensionId } from '../abuse/suspension.ts';
import type { Act } from '../kernel/audit.ts';
import type { Clock } from '../kernel/clock.ts';
import { Failure } from '../kernel/failure.ts';

type Deps = { readonly limits: LimitStore; readonly clock: Clock };

/** A country is an ISO code, or `+` and the calling code of numbers without a country, such as satellite phones. */
const countryForm = /^(?:[A-Z]{2}|\+\d{1,3})$/;

/** Without a country, resets the daily limit over all countries. */
export async function liftSuspension(
  { limits, clock }: Deps,
  { country, by }: { country: string | undefined; by: Act },
): Promise<void> {
  if (country !== undefined && !countryForm.test(country)) throw new Failure('REQUEST_INVALID', { field: 'country' });
  const now = clock.now();
  const ids =
    country === undefined
      ? [dayCounter(now), suspensionId('day', '')]
      : [
          dayCounter(now, country),
          usageCounterId(country),
          suspensionId('country', country),
          suspensionId('unused', country),
        ];
  await limits.clear({ ids, kind: 'sms.resumed', detail: { ...(country !== undefined && { country }), ...by }, now });
}
