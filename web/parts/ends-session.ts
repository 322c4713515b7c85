// Whether a failure says that the session has ended. Nothing else signs a user out: neither an outage nor the 401 of a proxy, which has no code.
import { type ErrorCode, GatehouseError } from '../../client/src/gatehouse-error.ts';

/** A refused access token is no end: the client renews it, and the answer to that decides. */
const ends: readonly ErrorCode[] = [
  'SESSION_REVOKED',
  'REFRESH_TOKEN_MISSING',
  'REFRESH_TOKEN_INVALID',
  'REFRESH_TOKEN_EXPIRED',
  'REFRESH_TOKEN_REUSED',
];

export function endsSession(failure: unknown): boolean {
  return failure instanceof GatehouseError && ends.includes(failure.code);
}
