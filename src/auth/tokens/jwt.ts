// Signed JSON texts (JWT, ES256): writes one, and reads one back only if this service signed exactly this text.
import { sign, verify } from 'node:crypto';
import { isLowS, toLowS } from './low-s.ts';
import type { JwtType, PublicKey, SigningKey } from './signing-key.ts';

/** Signs on the calling thread: a round trip to another thread costs as much as the signature. */
export function signJwt(key: SigningKey, type: JwtType, claims: Readonly<Record<string, unknown>>): string {
  const signed = `${key.headers[type]}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}`;
  const signature = sign('sha256', Buffer.from(signed), { key: key.privateKey, dsaEncoding: 'ieee-p1363' });
  return [signed, toLowS(signature).toString('base64url')].join('.');
}

type VerifiedJwt = { readonly keyId: string; readonly claims: Readonly<Record<string, unknown>> };

/** Checks signature and type. Undefined for any other text. The caller limits its length and judges the claims. */
export function verifyJwt(
  text: string,
  type: JwtType,
  findKey: (id: string) => PublicKey | undefined,
): VerifiedJwt | undefined {
  const parts = text.split('.', 4);
  const [header = '', payload = '', signature = ''] = parts;
  if (parts.length !== 3 || parts.some((part) => !isCanonical(part))) return undefined;
  const key = findKeyOf(header, type, findKey);
  if (key === undefined) return undefined;
  const given = Buffer.from(signature, 'base64url');
  const signed = Buffer.from(`${header}.${payload}`);
  const isSigned = isLowS(given) && verify('sha256', signed, { key: key.key, dsaEncoding: 'ieee-p1363' }, given);
  const claims = isSigned ? parseObject(payload) : undefined;
  return claims && { keyId: key.id, claims };
}

/** Accepts only the exact header of a signing key, so a token cannot choose its algorithm or type. */
function findKeyOf(header: string, type: JwtType, findKey: (id: string) => PublicKey | undefined) {
  const { alg, typ, kid, ...others } = parseObject(header) ?? {};
  if (alg !== 'ES256' || typ !== type || typeof kid !== 'string' || Object.keys(others).length > 0) return undefined;
  return findKey(kid);
}

function parseObject(part: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString());
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {
    // Not JSON: refused like any other forged token.
  }
  return undefined;
}

/** Base64url without padding. Each byte sequence has exactly one accepted spelling. */
function isCanonical(part: string): boolean {
  return Buffer.from(part, 'base64url').toString('base64url') === part;
}
