// Signing keys: made in the store, kept encrypted, published a day before use, replaced every thirty days.
import {
  createCipheriv,
  createDecipheriv,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto';
import type { Act } from '../kernel/audit.ts';
import { sha256 } from '../kernel/digest.ts';
import type { Secrets } from '../kernel/secrets.ts';

/** As it lies in the store: the private part is encrypted under a key derived from the service secret. */
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
  /** False when another node made that generation first: its key counts. */
  addKey(key: StoredSigningKey & { readonly by?: Act }): Promise<boolean>;
  /** With its audit event in one commit. False when there is no such key. */
  removeKey(removal: { readonly id: string; readonly by: Act; readonly now: number }): Promise<boolean>;
};

export type SigningKeyPolicy = { readonly lifeSeconds: number; readonly publishAheadSeconds: number };

export const signingKeyPolicy: SigningKeyPolicy = { lifeSeconds: 30 * 86_400, publishAheadSeconds: 86_400 };

export type PublicKey = { readonly id: string; readonly key: KeyObject; readonly jwk: Record<string, unknown> };

export type SigningKey = PublicKey & { readonly privateKey: KeyObject };

export function makeSigningKey(
  secrets: Secrets,
  generation: number,
  activeFrom: number,
  now: number,
): StoredSigningKey {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const spki = publicKey.export({ type: 'spki', format: 'der' });
  return {
    generation,
    id: sha256(spki).slice(0, 22),
    publicKey: spki.toString('base64url'),
    privateKey: seal(secrets, privateKey.export({ type: 'pkcs8', format: 'der' })),
    createdAt: now,
    activeFrom,
  };
}

export function readPublicKey(stored: StoredSigningKey): PublicKey {
  const key = createPublicKey({ key: Buffer.from(stored.publicKey, 'base64url'), type: 'spki', format: 'der' });
  const { kty, crv, x, y } = key.export({ format: 'jwk' });
  return { id: stored.id, key, jwk: { kty, crv, x, y, kid: stored.id, alg: 'ES256', use: 'sig' } };
}

/** Undefined when the secret it was sealed under is gone: it can still verify, but no longer sign. */
export function openSigningKey(secrets: Secrets, stored: StoredSigningKey): SigningKey | undefined {
  const pkcs8 = unseal(secrets, stored.privateKey);
  if (pkcs8 === undefined) return undefined;
  return { ...readPublicKey(stored), privateKey: createPrivateKey({ key: pkcs8, type: 'pkcs8', format: 'der' }) };
}

/** So far clocks of two nodes may be apart: a key that another one has just made is no reason to make a second. */
const skewMilliseconds = 60_000;

/** The next generation when the newest key's time to be followed has come; undefined when there is nothing to do. */
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
  const followsAt = newest.activeFrom + policy.lifeSeconds * 1000;
  if (now < followsAt - policy.publishAheadSeconds * 1000) return undefined;
  return {
    generation: newest.generation + 1,
    activeFrom: Math.max(followsAt, now + policy.publishAheadSeconds * 1000),
  };
}

function seal(secrets: Secrets, plain: Buffer): string {
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', secrets.currentKey('signing keys'), iv);
  const sealed = Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
  return `${secrets.currentId}.${iv.toString('base64url')}.${sealed.toString('base64url')}`;
}

function unseal(secrets: Secrets, text: string): Buffer | undefined {
  const [secretId = '', iv = '', sealedText = ''] = text.split('.');
  const key = secrets.findKey('signing keys', secretId);
  if (key === undefined) return undefined;
  const sealed = Buffer.from(sealedText, 'base64url');
  const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(iv, 'base64url'));
  decipher.setAuthTag(sealed.subarray(-16));
  try {
    return Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()]);
  } catch {
    return undefined;
  }
}
