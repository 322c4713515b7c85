// For back ends: checks access tokens by the service's published keys, without asking it about each of them.
import { GatehouseError } from './gatehouse-error.ts';
import { createKeySet } from './key-set.ts';
import { isLowS } from './low-s.ts';
import { withoutSlash } from './without-slash.ts';

/** What a valid token says: `sub` is the user's id, `sid` the session's. */
export type AccessClaims = {
  readonly iss: string;
  readonly aud: string;
  readonly sub: string;
  readonly sid: string;
  readonly jti: string;
  readonly iat: number;
  readonly exp: number;
  readonly amr: readonly string[];
};

export type VerifierOptions = {
  /** The service's PUBLIC_URL, which signs the tokens; the url when left out. */
  readonly issuer?: string | undefined;
  /** For whom the tokens are; the issuer when left out, as the service writes it. */
  readonly audience?: string | undefined;
  /** Where the keys are fetched; the issuer when left out. */
  readonly url?: string | undefined;
  readonly fetch?: typeof fetch | undefined;
  /** The time in milliseconds; the machine's when left out. */
  readonly now?: (() => number) | undefined;
};

const leewaySeconds = 30;
const longestToken = 2048;

export function createVerifier({ issuer, audience, url, fetch: ask = fetch, now = Date.now }: VerifierOptions) {
  const iss = trim(issuer ?? url);
  const aud = trim(audience ?? iss);
  const keys = createKeySet(trim(url ?? issuer), ask, now);

  return {
    /** The claims of a valid token, bare or as the value of an Authorization header. Throws a GatehouseError for any other. */
    verify: async (token: string | null | undefined): Promise<AccessClaims> => {
      const bare = (token ?? '').replace(/^bearer +/i, '').trim();
      if (bare === '') throw refusal('ACCESS_TOKEN_MISSING', 'No access token was sent.');
      const [header = '', payload = '', signature = '', ...more] = bare.length <= longestToken ? bare.split('.') : [];
      const { alg, typ, kid, ...others } = parse(header);
      const isOurForm = alg === 'ES256' && typ === 'at+jwt' && typeof kid === 'string';
      if (!isOurForm || more.length > 0 || Object.keys(others).length > 0) throw invalid();
      const key = await keys.find(kid);
      if (key === undefined) throw invalid();
      const signed = new TextEncoder().encode(`${header}.${payload}`);
      const how = { name: 'ECDSA', hash: 'SHA-256' };
      const given = decode(signature);
      if (!isLowS(given) || !(await crypto.subtle.verify(how, key, given, signed))) throw invalid();
      const claims = parse(payload);
      const isForUs = claims.iss === iss && claims.aud === aud && typeof claims.sub === 'string';
      if (!isForUs || typeof claims.exp !== 'number') throw invalid();
      if (now() / 1000 >= claims.exp + leewaySeconds) {
        throw refusal('ACCESS_TOKEN_EXPIRED', 'The access token has expired.');
      }
      return claims as AccessClaims;
    },
  };
}

function trim(url: string | undefined): string {
  if (url === undefined) throw new TypeError('createVerifier needs the issuer or the url of the service');
  return withoutSlash(url);
}

function parse(part: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(decode(part)));
    if (typeof value === 'object' && value !== null) return { ...value };
  } catch {
    // Refused below, like everything that the service never writes.
  }
  throw invalid();
}

/** Strict base64url: no padding, and no second spelling of the same bytes. */
function decode(part: string): Uint8Array<ArrayBuffer> {
  try {
    const bytes = Uint8Array.from(atob(part.replaceAll('-', '+').replaceAll('_', '/')), (sign) => sign.charCodeAt(0));
    const again = btoa(String.fromCharCode(...bytes))
      .replaceAll('+', '-')
      .replaceAll('/', '_')
      .replaceAll('=', '');
    if (part !== '' && again === part) return bytes;
  } catch {
    // Not base64.
  }
  throw invalid();
}

function invalid(): GatehouseError {
  return refusal('ACCESS_TOKEN_INVALID', 'The access token is not valid.');
}

function refusal(code: 'ACCESS_TOKEN_MISSING' | 'ACCESS_TOKEN_INVALID' | 'ACCESS_TOKEN_EXPIRED', message: string) {
  return new GatehouseError({ code, message, status: 401 });
}
