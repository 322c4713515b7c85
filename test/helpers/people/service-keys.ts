// Service keys for tests: created as the command line does, and calls of the back end with them.

import { createServiceKey as create } from '../../../src/backend/create-service-key.ts';
import { type BackendScope, backendScopes } from '../../../src/backend/service-key.ts';
import type { Clock } from '../../../src/kernel/clock.ts';
import type { Service } from '../../../src/service/service.ts';
import { createOperatorPorts } from '../../../src/store/ports.ts';

type Backed = { readonly service: Service; readonly clock?: Clock };

const day = 86_400_000;

/** The text of a key, for `Authorization: Bearer`. Without scopes it has all of them. */
export async function createServiceKey(
  gatehouse: Backed,
  scopes: readonly BackendScope[] = backendScopes,
): Promise<string> {
  return (await createWholeKey(gatehouse, scopes)).text;
}

/** With its id and end. `life` is in milliseconds. */
export function createWholeKey(
  { service, clock = service.store.clock }: Backed,
  scopes: readonly BackendScope[] = backendScopes,
  life = 30 * day,
) {
  const { serviceKeys } = createOperatorPorts(service.store);
  const by = { actor: 'cli', why: 'a test' } as const;
  return create({ serviceKeys, clock }, { name: 'an app', scopes, endsAt: clock.now() + life, by });
}
