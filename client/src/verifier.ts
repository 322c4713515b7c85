// For back ends: verifies access tokens with the service's public keys, without a request per token.
import { GatehouseError } from './gatehouse-error.ts';
import { createKeySet } from './key-set.ts';
import { isLowS } from './low-s.ts';
import { withoutSlash } from './without-slash.ts';

/**
 * The claims of a valid token. `sub` is the user ID, `sid` the session ID. `auth_time` (in seconds) and `amr` tell when and how the
 * user was last proved: at the sign-in, or with a code entered again. Tokens of older services have no `auth_time`.
 */
export type AccessClaims<App = Readonly<Record<string, unknown>>> = {
  readonly iss: string;
  readonly aud: string;
  readonly sub: string;
  readonly sid: string;
  readonly jti: string;
  readonly iat: number;
  readonly exp: number;
  readonly auth_time?: number;
  readonly amr: readonly string[];
  /** The app that the user signed in to, by OpenID Connect. Absent in a token of the service itself. */
  readonly client_id?: string;
  /** The scopes of that app, separated by spaces. */
  readonly scope?: string;
  /** The claims that your back end stored with the user. Absent if it stored none. */
  readonly app?: App;
};

export type VerifierOptions = {
  /** The service's PUBLIC_URL. Default: `url`. */
  readonly issuer?: string | undefined;
  /** The expected audience. Default: the issuer, as the service sets it. */
  readonly audience?: string | undefined;
  /** Where to fetch the keys, if the service has another URL inside your network. Default: `issuer`. */
  readonly url?: string | undefined;
  readonly fetch?: typeof fetch | undefined;
  /** The time in milliseconds since 1970. Default: `Date.now`. */
  readonly now?: (() => number) | undefined;
};

const leewaySeconds = 30;
const maxTokenLength = 4096;

/**
 * Creates a verifier of access tokens for your back end. It fetches the public keys of the service once, and again when
 * a token names an unknown key. A type argument describes `app`, the claims that your back end stores. It is not checked.
 * @example
 * import { createVerifier } from '@gatehouse/client/verifier';
 *
 * const { verify } = createVerifier({ issuer: 'https://id.example.com' });
 */
export function createVerifier<App = Readonly<Record<string, unknown>>>({
  issuer,
  audience,
  url,
  fetch: ask = fetch,
  now = Date.now,
}: VerifierOptions) {
  const iss = trim(issuer ?? url);
  const aud = trim(audience ?? iss);
  const keys = createKeySet(trim(url ?? issuer), ask, now);

  return {
    /**
     * Returns the claims of a valid token. Accepts a bare token or the value of an Authorization header.
     * Throws a GatehouseError with status 401 if the token is missing, invalid or expired, and with status 503 if the
     * keys cannot be fetched.
     * @example
     * const { sub } = await verify(request.headers.authorization);
     * console.log(`Hello ${sub}`);
     */
    verify: async (token: string | null | undefined): Promise<AccessClaims<App>> => {
      const bare = (token ?? '').replace(/^bearer +/i, '').trim();
      if (bare === '') throw refusal('ACCESS_TOKEN_MISSING', 'No access token was sent.');
      const [header = '', payload = '', signature = '', ...more] = bare.length <= maxTokenLength ? bare.split('.') : [];
      const { alg, typ, kid, ...others } = parse(header);
      const isExpectedHeader = alg === 'ES256' && typ === 'at+jwt' && typeof kid === 'string';
      if (!isExpectedHeader || more.length > 0 || Object.keys(others).length > 0) throw invalid();
      const key = await keys.find(kid);
      if (key === undefined) throw invalid();
      const signed = new TextEncoder().encode(`${header}.${payload}`);
      const algorithm = { name: 'ECDSA', hash: 'SHA-256' };
      const bytes = decode(signature);
      if (!isLowS(bytes) || !(await crypto.subtle.verify(algorithm, key, bytes, signed))) throw invalid();
      const claims = parse(payload);
      // The signature is valid, so the name of the issuer is true, and the mistake is most likely in the settings of the app.
      if (typeof claims.iss === 'string' && claims.iss !== iss)
        throw refusal(
          'ACCESS_TOKEN_INVALID',
          `The access token was issued by ${claims.iss}, and ${iss} is expected. Pass the PUBLIC_URL of the service as issuer.`,
        );
      const isForUs = claims.iss === iss && claims.aud === aud && typeof claims.sub === 'string';
      if (!isForUs || typeof claims.exp !== 'number') throw invalid();
      if (now() / 1000 >= claims.exp + leewaySeconds) {
        throw refusal('ACCESS_TOKEN_EXPIRED', 'The access token has expired.');
      }
      return claims as AccessClaims<App>;
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
    // Not JSON: refused below.
  }
  throw invalid();
}

/** Strict base64url: no padding, and only one spelling of the same bytes. */
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
