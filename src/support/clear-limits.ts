// Use case: clear the limits of a recipient or a caller, so that they can try again at once.

import type { LimitStore } from '../abuse/limit-store.ts';
import type { Act } from '../kernel/audit.ts';
import type { Clock } from '../kernel/clock.ts';
import { markRecipient } from '../kernel/crypto/recipient-mark.ts';
import type { Secrets } from '../kernel/crypto/secrets.ts';
import type { UserId } from '../kernel/ids.ts';
import { countersOf, type LimitPolicies, type LimitSubject, maskSubject } from './recipient-limits.ts';

type Deps = LimitPolicies & { readonly limits: LimitStore; readonly clock: Clock; readonly secrets: Secrets };

/** Returns how many counters held a value. */
export async function clearLimits(
  deps: Deps,
  { subject, userId, by }: { subject: LimitSubject; userId?: UserId; by: Act },
): Promise<number> {
  const ids = countersOf(subject, deps).map(({ id }) => id);
  const recipient = markRecipient(deps.secrets, subject.text);
  const detail = { [subject.kind]: maskSubject(subject), recipient, ...by };
  return deps.limits.clear({ ids, ...(userId !== undefined && { userId }), detail, now: deps.clock.now() });
}
