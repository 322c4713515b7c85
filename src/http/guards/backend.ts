// Guard: a live service key with the scope of the call, sent by a server. Browsers are refused, and there is no CORS.

import type { ServiceKeyCheck } from '../../backend/check-service-key.ts';
import type { BackendCaller, BackendScope } from '../../backend/service-key.ts';
import { Failure } from '../../kernel/failure.ts';
import type { HttpRequest } from '../server/request.ts';
import { bearerToken } from './access.ts';

/** Without a scope no key may call: a line of the table that has lost its scope must not open to every key. */
export type BackendGuard = (request: HttpRequest, scope: BackendScope | undefined) => Promise<BackendCaller>;

type BackendGuardParts = {
  readonly check: ServiceKeyCheck;
  /** Whether the request comes from a network that may use keys. */
  readonly isFromAllowed: (request: HttpRequest) => boolean;
  /** Throws RATE_LIMITED. Counts the requests of one key. */
  readonly countKey: (keyId: string) => void;
  /** The same for the IP address of a request without a valid key. */
  readonly countAddress: (address: string) => void;
};

export function createBackendGuard({ check, isFromAllowed, countKey, countAddress }: BackendGuardParts): BackendGuard {
  return async (request, scope) => {
    const mayUseKey = !isFromBrowser(request) && isFromAllowed(request);
    const key = mayUseKey ? bearerToken(request.headers.authorization) : undefined;
    // The server of an app is one address with many requests: only those without a known key are counted by address.
    const count = once(() => countAddress(request.clientAddress));
    const caller = await check(key, count).catch((failure) => {
      count();
      throw failure;
    });
    countKey(caller.keyId);
    if (scope === undefined || !caller.scopes.includes(scope))
      throw new Failure('SERVICE_SCOPE_MISSING', { list: scope ?? '—' });
    return caller;
  };
}

function once(act: () => void): () => void {
  let isDone = false;
  return () => {
    if (isDone) return;
    isDone = true;
    act();
  };
}

/** A key in a page is in the hands of every visitor. Every browser sends one of these with a call from a page. */
function isFromBrowser({ headers }: HttpRequest): boolean {
  return headers.origin !== undefined || headers['sec-fetch-site'] !== undefined;
}
