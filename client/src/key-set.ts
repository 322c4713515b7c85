// The service's public keys: fetched on first use, cached, and fetched again when a token names an unknown key.
import { GatehouseError } from './gatehouse-error.ts';

export type KeySet = { find(id: string): Promise<CryptoKey | undefined> };

/** The pause limits how many requests forged tokens with unknown keys can cause. */
const minPauseMilliseconds = 30_000;
/** The shorter pause applies until the first keys have been fetched. */
const minFirstPauseMilliseconds = 1000;
/** After this time the keys are fetched again, so that retired keys are dropped. */
const maxAgeMilliseconds = 3_600_000;
const timeoutMilliseconds = 5000;

export function createKeySet(url: string, ask: typeof fetch, now: () => number): KeySet {
  let keys = new Map<string, CryptoKey>();
  let fetchedAt = Number.NEGATIVE_INFINITY;
  let triedAt = Number.NEGATIVE_INFINITY;
  let renewal: Promise<void> | undefined;

  const fetchKeys = async () => {
    triedAt = now();
    const response = await ask(`${url}/.well-known/jwks.json`, { signal: AbortSignal.timeout(timeoutMilliseconds) });
    if (!response.ok) throw new Error(`the key set responded with status ${response.status}`);
    const { keys: listed } = (await response.json()) as { keys: (JsonWebKey & { kid: string })[] };
    const usable = listed.filter(({ kty, crv }) => kty === 'EC' && crv === 'P-256');
    keys = new Map(await Promise.all(usable.map(async (jwk) => [jwk.kid, await importKey(jwk)] as const)));
    fetchedAt = now();
  };
  const renew = (): Promise<void> => {
    renewal ??= fetchKeys().finally(() => {
      renewal = undefined;
    });
    return renewal;
  };

  return {
    find: async (id) => {
      const known = keys.get(id);
      const isOld = now() - fetchedAt > maxAgeMilliseconds;
      const pause = fetchedAt < 0 ? minFirstPauseMilliseconds : minPauseMilliseconds;
      const mayFetch = renewal !== undefined || now() - triedAt >= pause;
      if (mayFetch && (known === undefined || isOld)) {
        // While the service is unreachable, the cached keys stay valid.
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
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256' };
  return crypto.subtle.importKey('jwk', { kty, crv, x, y } as JsonWebKey, algorithm, false, ['verify']);
}

function unavailable(cause: unknown): GatehouseError {
  const message = 'The public keys of the service cannot be fetched.';
  return new GatehouseError({ code: 'SERVICE_UNAVAILABLE', message, status: 503, retryAfterSeconds: 30, cause });
}
