// Which failures mean that the session has ended: the only rule for this, of all calls.
import { type ErrorCode, GatehouseError } from './gatehouse-error.ts';

const ends: readonly ErrorCode[] = [
  'SESSION_REVOKED',
  'REFRESH_TOKEN_MISSING',
  'REFRESH_TOKEN_INVALID',
  'REFRESH_TOKEN_EXPIRED',
  'REFRESH_TOKEN_REUSED',
];

/**
 * Only the service sends codes, so only it can end a session. A status proves nothing: a proxy, a captive portal or a gateway answers 401 too.
 * An access token that is refused ends nothing either, because it can be renewed.
 */
export function endsSession(error: unknown): boolean {
  return error instanceof GatehouseError && ends.includes(error.code);
}
