// Use case: find the user and session of an access token, without a store query.
import { Failure } from '../../kernel/failure.ts';
import type { AuthDeps } from '../deps.ts';
import { type AccessClaims, checkTime, verifyAccessToken } from './access-token.ts';

type Deps = Pick<AuthDeps, 'clock' | 'keyRing' | 'revocations' | 'accessToken'>;

/** Returns a promise only if the signature is to be verified. Throws, or rejects, with the failure. */
export type AccessCheck = (token: string) => AccessClaims | Promise<AccessClaims>;

/** A token without claims of an app has about 600 characters. Those with large claims must not take several times the memory. */
const mostCharacters = 16_000_000;

/** A signature is verified once; key, expiry and session are checked on every use. `cacheSize`: how many tokens are remembered. */
export function createAccessCheck(deps: Deps, cacheSize = 20_000, cacheCharacters = mostCharacters): AccessCheck {
  const cache = new Map<string, AccessClaims>();
  let characters = 0;
  const judge = (claims: AccessClaims): AccessClaims => {
    checkTime(claims, deps.clock.now());
    if (deps.revocations.has(claims.sessionId)) throw new Failure('SESSION_REVOKED');
    return claims;
  };
  const judgeNew = async (token: string): Promise<AccessClaims> => {
    const claims = judge(await verify(deps, token));
    if (cache.size >= cacheSize || characters + token.length > cacheCharacters) {
      cache.clear();
      characters = 0;
    }
    cache.set(token, claims);
    characters += token.length;
    return claims;
  };
  return (token) => {
    const known = cache.get(token);
    return known === undefined || deps.keyRing.find(known.keyId) === undefined ? judgeNew(token) : judge(known);
  };
}

async function verify({ keyRing, accessToken }: Deps, token: string): Promise<AccessClaims> {
  let unknownKey = '';
  const find = (id: string) => {
    const key = keyRing.find(id);
    if (key === undefined) unknownKey = id;
    return key;
  };
  try {
    return verifyAccessToken(token, find, accessToken);
  } catch (failure) {
    if (unknownKey === '' || (await keyRing.findOrReload(unknownKey)) === undefined) throw failure;
    return verifyAccessToken(token, (id) => keyRing.find(id), accessToken);
  }
}
