// Whether the same call may succeed later: there was no answer of the service, or it is busy. A refusal stays one.
import type { GatehouseError } from '../../client/src/gatehouse-error.ts';

export function mayPass({ code, status }: GatehouseError): boolean {
  return code === 'NETWORK' || status === 429 || status >= 500;
}
