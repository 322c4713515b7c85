// Signing keys: stored encrypted, published one day before use, replaced every thirty days.
import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import type { Act } from '../../kernel/audit.ts';
import { sha256 } from '../../kernel/crypto/digest.ts';
import { seal, unseal } from '../../kernel/crypto/seal.ts';
import type { Secrets } from '../../kernel/crypto/secrets.ts';

/** The stored form. The private key is encrypted with a key derived from the service secret. */
export type StoredSigningKey = {
  readonly generation: number;
  readonly id: string;
  readonly publicKey: string;
  readonly privateKey: string;
  readonly createdAt: number;
  readonly activeFrom: number;
};

export type SigningKeyStore = {
  listKeys(): Promise<StoredSigningKey[]>;
  /** False if another node created that generation first. The key of that node is then valid. */
  addKey(key: StoredSigningKey & { readonly by?: Act }): Promise<boolean>;
  /** Writes the audit event in the same commit. False if there is no such key. */
  removeKey(removal: { readonly id: string; readonly by: Act; readonly now: number }): Promise<boolean>;
};

export type SigningKeyPolicy = { readonly lifeSeconds: number; readonly publishAheadSeconds: number };

export const signingKeyPolicy: SigningKeyPolicy = { lifeSeconds: 30 * 86_400, publishAheadSeconds: 86_400 };

export type PublicKey = { readonly id: string; readonly key: KeyObject; readonly jwk: Record<string, unknown> };

/** at+jwt: an access token. JWT: an id token. One is never accepted as the other. */
export type JwtType = 'at+jwt' | 'JWT';

/** `headers`: how the tokens that it signs begin. */
export type SigningKey = PublicKey & {
  readonly privateKey: KeyObject;
  readonly headers: Readonly<Record<JwtType, string>>;
};

export function makeSigningKey(
  secrets: Secrets,
  generation: number,
  activeFrom: number,
  now: number,
): StoredSigningKey {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const spki = publicKey.export({ type: 'spki', format: 'der' });
  const id = sha256(spki).slice(0, 22);
  // The command line would take it for an option when an operator revokes the key. One of 64 begins so.
  if (id.startsWith('-')) return makeSigningKey(secrets, generation, activeFrom, now);
  return {
    generation,
    id,
    publicKey: spki.toString('base64url'),
    privateKey: seal(secrets, 'signing keys', privateKey.export({ type: 'pkcs8', format: 'der' })),
    createdAt: now,
    activeFrom,
  };
}

export function readPublicKey(stored: StoredSigningKey): PublicKey {
  const key = createPublicKey({ key: Buffer.from(stored.publicKey, 'base64url'), type: 'spki', format: 'der' });
  const { kty, crv, x, y } = key.export({ format: 'jwk' });
  return { id: stored.id, key, jwk: { kty, crv, x, y, kid: stored.id, alg: 'ES256', use: 'sig' } };
}

/** Undefined if its secret is no longer configured. The key can still verify, but not sign. */
export function openSigningKey(secrets: Secrets, stored: StoredSigningKey): SigningKey | undefined {
  const pkcs8 = unseal(secrets, 'signing keys', stored.privateKey);
  if (pkcs8 === undefined) return undefined;
  const privateKey = createPrivateKey({ key: pkcs8, type: 'pkcs8', format: 'der' });
  const headers = { 'at+jwt': writeHeader('at+jwt', stored.id), JWT: writeHeader('JWT', stored.id) };
  return { ...readPublicKey(stored), privateKey, headers };
}

function writeHeader(type: JwtType, id: string): string {
  return Buffer.from(JSON.stringify({ alg: 'ES256', typ: type, kid: id })).toString('base64url');
}

/** Allowed clock skew between nodes, so that a node does not create a second key beside one that another node just created. */
const skewMilliseconds = 60_000;

/** The next key to create; undefined if none is due. */
export function planNextKey(
  keys: readonly StoredSigningKey[],
  canSign: (key: StoredSigningKey) => boolean,
  policy: SigningKeyPolicy,
  now: number,
): { generation: number; activeFrom: number } | undefined {
  const newest = keys.reduce<StoredSigningKey | undefined>(
    (last, key) => (last && last.generation > key.generation ? last : key),
    undefined,
  );
  if (newest === undefined) return { generation: 1, activeFrom: now };
  if (!keys.some((key) => canSign(key) && key.activeFrom <= now + skewMilliseconds))
    return { generation: newest.generation + 1, activeFrom: now };
  const replaceAt = newest.activeFrom + policy.lifeSeconds * 1000;
  if (now < replaceAt - policy.publishAheadSeconds * 1000) return undefined;
  return {
    generation: newest.generation + 1,
    activeFrom: Math.max(replaceAt, now + policy.publishAheadSeconds * 1000),
  };
}
