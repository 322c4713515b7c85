// Use case: revoke a service key. Within a second no node accepts it any more.
import type { Act } from '../kernel/audit.ts';
import type { Clock } from '../kernel/clock.ts';
import { Failure } from '../kernel/failure.ts';
import type { ServiceKeyStore } from './service-key.ts';

type Deps = { readonly serviceKeys: ServiceKeyStore; readonly clock: Clock };

export async function revokeServiceKey(
  { serviceKeys, clock }: Deps,
  { id, by }: { id: string; by: Act },
): Promise<void> {
  if (!(await serviceKeys.revoke({ id, by, now: clock.now() }))) throw new Failure('NOT_FOUND');
}
