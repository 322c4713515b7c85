// Verifies the user of an incoming request of your app: the access token in the header Authorization or in the cookie JWT.
import { GatehouseError } from './gatehouse-error.ts';
import type { AccessClaims } from './verifier.ts';

/** The headers of a request: of Node (`request.headers`), or of fetch (`Request.headers`). */
export type RequestHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

export type VerifiedRequest = {
  readonly userId: string;
  readonly sessionId: string;
  /** What your back end has stored with the user as claims, as of the last refresh or sign-in. Empty if there are none. */
  readonly claims: Readonly<Record<string, unknown>>;
  readonly expiresAt: Date;
  /** When the user was last proved: at the sign-in, or with a code entered again. Tokens of older services do not say it. */
  readonly authTime: Date | undefined;
  /** How the user was last proved. */
  readonly amr: readonly string[];
  /** The app of yours that the user signed in to, by OpenID Connect. Undefined for a token of the service itself. */
  readonly clientId: string | undefined;
  /** The scopes of that app. Empty for a token of the service itself. */
  readonly scopes: readonly string[];
  /** A browser adds a cookie by itself. Check the origin of a request that changes something and was sent with one. */
  readonly via: 'header' | 'cookie';
};

export type VerifyOptions = {
  /** Asks the service whether the session has ended. It costs a request, and needs the scope `users:read`. */
  readonly checkRevocation?: boolean | undefined;
};

type Parts = {
  readonly verify: (token: string) => Promise<AccessClaims>;
  readonly isActive: (token: string) => Promise<boolean>;
};

export async function verifyRequest(
  { verify, isActive }: Parts,
  headers: RequestHeaders,
  { checkRevocation = false }: VerifyOptions = {},
): Promise<VerifiedRequest> {
  const bearer = bearerIn(readHeader(headers, 'authorization'));
  const token = bearer ?? cookieIn(readHeader(headers, 'cookie')) ?? '';
  const { sub, sid, app, exp, auth_time: authTime, amr, client_id: clientId, scope } = await verify(token);
  if (checkRevocation && !(await isActive(token)))
    throw new GatehouseError({ code: 'SESSION_REVOKED', message: 'The session has ended.', status: 401 });
  return {
    userId: sub,
    sessionId: sid,
    claims: app ?? {},
    expiresAt: new Date(exp * 1000),
    authTime: authTime === undefined ? undefined : new Date(authTime * 1000),
    amr,
    clientId,
    scopes: scope?.split(' ') ?? [],
    via: bearer === undefined ? 'cookie' : 'header',
  };
}

export function readHeader(headers: RequestHeaders, name: string): string | undefined {
  const value = isFetched(headers) ? headers.get(name) : headers[name];
  return typeof value === 'string' ? value : (value?.join('; ') ?? undefined);
}

/** Not by its class: a framework or a package may bring another one than Node. */
function isFetched(headers: RequestHeaders): headers is Headers {
  return typeof headers.get === 'function';
}

/** As the service reads it: undefined for another scheme, and an empty token is refused even if there is a cookie. */
function bearerIn(header: string | undefined): string | undefined {
  return /^bearer(?: |$)(.*)$/is.exec(header ?? '')?.[1]?.trim();
}

/** As the service does, it trusts neither of two cookies of one name: somebody else may have set one of them. */
function cookieIn(header: string | undefined): string | undefined {
  const values = new Set<string>();
  for (const pair of (header ?? '').split(';')) {
    const at = pair.indexOf('=');
    if (at > 0 && pair.slice(0, at).trim() === 'JWT') values.add(pair.slice(at + 1).trim());
  }
  // No token has a space, so both together are refused.
  return values.size === 0 ? undefined : [...values].join(' ');
}
