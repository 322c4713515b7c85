// Access tokens: short-lived ES256 JWTs that hold a user id and a session id, and no personal data.
import { sign, verify } from 'node:crypto';
import { Failure } from '../kernel/failure.ts';
import { randomText } from '../kernel/random.ts';
import { isLowS, toLowS } from './low-s.ts';
import type { SignInMethod } from './session.ts';
import type { PublicKey, SigningKey } from './signing-key.ts';

export type AccessTokenPolicy = { readonly issuer: string; readonly audience: string; readonly lifeSeconds: number };

export type AccessClaims = {
  readonly userId: string;
  readonly sessionId: string;
  readonly expiresAt: number;
  readonly keyId: string;
};

const leewaySeconds = 30;
export const longestAccessToken = 2048;
const amr: Record<SignInMethod, string[]> = { sms: ['otp', 'sms'], link: ['link', 'email'] };

/** Signs on the calling thread: a round trip to another thread costs as much as the signature. */
export function signAccessToken(
  key: SigningKey,
  subject: { userId: string; sessionId: string; method: SignInMethod },
  policy: AccessTokenPolicy,
  now: number,
): string {
  const issuedAt = Math.floor(now / 1000);
  const claims = {
    iss: policy.issuer,
    aud: policy.audience,
    sub: subject.userId,
    sid: subject.sessionId,
    jti: randomText(12),
    iat: issuedAt,
    exp: issuedAt + Math.ceil(policy.lifeSeconds),
    amr: amr[subject.method],
  };
  const signed = `${headerOf(key.id)}.${encode(JSON.stringify(claims))}`;
  const signature = sign('sha256', Buffer.from(signed), { key: key.privateKey, dsaEncoding: 'ieee-p1363' });
  return `${signed}.${toLowS(signature).toString('base64url')}`;
}

/** Checks signature, type, issuer and audience. Verified tokens are cached, so the caller checks expiry and key on every use. */
export function verifyAccessToken(
  token: string,
  findKey: (id: string) => PublicKey | undefined,
  policy: AccessTokenPolicy,
): AccessClaims {
  const parts = token.length <= longestAccessToken ? token.split('.') : [];
  const [header = '', payload = '', signature = ''] = parts;
  if (parts.length !== 3 || parts.some((part) => !isCanonical(part))) throw invalid();
  const key = findKeyOf(header, findKey);
  const signed = Buffer.from(`${header}.${payload}`);
  const given = Buffer.from(signature, 'base64url');
  const isSigned = isLowS(given) && verify('sha256', signed, { key: key.key, dsaEncoding: 'ieee-p1363' }, given);
  if (!isSigned) throw invalid();
  const claims = parseObject(payload);
  const { iss, aud, sub, sid, exp, iat } = claims;
  const isOurs = iss === policy.issuer && aud === policy.audience;
  if (
    !isOurs ||
    typeof sub !== 'string' ||
    typeof sid !== 'string' ||
    !Number.isInteger(exp) ||
    !Number.isInteger(iat)
  ) {
    throw invalid();
  }
  return { userId: sub, sessionId: sid, expiresAt: (exp as number) * 1000, keyId: key.id };
}

export function checkTime(claims: AccessClaims, now: number): void {
  if (now >= claims.expiresAt + leewaySeconds * 1000) throw new Failure('ACCESS_TOKEN_EXPIRED');
}

/** Accepts only the exact header that `headerOf` writes, so a token cannot choose its algorithm or type. */
function findKeyOf(header: string, findKey: (id: string) => PublicKey | undefined): PublicKey {
  const { alg, typ, kid, ...others } = parseObject(header);
  const key = alg === 'ES256' && typ === 'at+jwt' && typeof kid === 'string' ? findKey(kid) : undefined;
  if (key === undefined || Object.keys(others).length > 0) throw invalid();
  return key;
}

const headers = new Map<string, string>();

function headerOf(keyId: string): string {
  const known = headers.get(keyId);
  if (known !== undefined) return known;
  const header = encode(JSON.stringify({ alg: 'ES256', typ: 'at+jwt', kid: keyId }));
  headers.set(keyId, header);
  return header;
}

function parseObject(part: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString());
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {
    // Not JSON: refused below like any other forged token.
  }
  throw invalid();
}

/** Base64url without padding. Each byte sequence has exactly one accepted spelling. */
function isCanonical(part: string): boolean {
  return Buffer.from(part, 'base64url').toString('base64url') === part;
}

function encode(text: string): string {
  return Buffer.from(text).toString('base64url');
}

function invalid(): Failure {
  return new Failure('ACCESS_TOKEN_INVALID');
}
