// The service's public keys: fetched when first needed, kept, and fetched again now and then for a key that is not known yet.
import { GatehouseError } from './gatehouse-error.ts';

export type KeySet = { find(id: string): Promise<CryptoKey | undefined> };

/** Forged tokens name keys that are not known: they must not make us ask all the time. */
const leastPauseMilliseconds = 30_000;
const leastPauseAtFirstMilliseconds = 1000;
/** Keys that the service has retired are forgotten after this. */
const longestLifeMilliseconds = 3_600_000;
const timeoutMilliseconds = 5000;

export function createKeySet(url: string, ask: typeof fetch, now: () => number): KeySet {
  let keys = new Map<string, CryptoKey>();
  let fetchedAt = Number.NEGATIVE_INFINITY;
  let triedAt = Number.NEGATIVE_INFINITY;
  let underWay: Promise<void> | undefined;

  const fetchKeys = async () => {
    triedAt = now();
    const response = await ask(`${url}/.well-known/jwks.json`, { signal: AbortSignal.timeout(timeoutMilliseconds) });
    if (!response.ok) throw new Error(`the keys answer ${response.status}`);
    const { keys: listed } = (await response.json()) as { keys: (JsonWebKey & { kid: string })[] };
    const usable = listed.filter(({ kty, crv }) => kty === 'EC' && crv === 'P-256');
    keys = new Map(await Promise.all(usable.map(async (jwk) => [jwk.kid, await importKey(jwk)] as const)));
    fetchedAt = now();
  };
  const renew = (): Promise<void> => {
    underWay ??= fetchKeys().finally(() => {
      underWay = undefined;
    });
    return underWay;
  };

  return {
    find: async (id) => {
      const known = keys.get(id);
      const isOld = now() - fetchedAt > longestLifeMilliseconds;
      const pause = fetchedAt < 0 ? leastPauseAtFirstMilliseconds : leastPauseMilliseconds;
      const mayAsk = underWay !== undefined || now() - triedAt >= pause;
      if (mayAsk && (known === undefined || isOld)) {
        // While the service is away the keys that are known still do.
        await renew().catch((error: unknown) => {
          if (known === undefined) throw unavailable(error);
        });
      }
      if (fetchedAt < 0) throw unavailable(undefined);
      return keys.get(id);
    },
  };
}

function importKey({ kty, crv, x, y }: JsonWebKey): Promise<CryptoKey> {
  const how = { name: 'ECDSA', namedCurve: 'P-256' };
  return crypto.subtle.importKey('jwk', { kty, crv, x, y } as JsonWebKey, how, false, ['verify']);
}

function unavailable(cause: unknown): GatehouseError {
  const message = 'The keys of the service cannot be fetched.';
  return new GatehouseError({ code: 'SERVICE_UNAVAILABLE', message, status: 503, retryAfterSeconds: 30, cause });
}
