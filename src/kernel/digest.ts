// Hashes, keyed hashes, key derivation and constant-time comparison.
import { createHmac, hash, hkdfSync, timingSafeEqual } from 'node:crypto';

export function sha256(data: string | Buffer): string {
  return hash('sha256', data, 'base64url');
}

export function hmacSha256(key: Buffer, data: string | Buffer): Buffer;
export function hmacSha256(key: Buffer, data: string | Buffer, encoding: 'base64url' | 'hex'): string;
export function hmacSha256(key: Buffer, data: string | Buffer, encoding?: 'base64url' | 'hex'): Buffer | string {
  const hmac = createHmac('sha256', key).update(data);
  return encoding === undefined ? hmac.digest() : hmac.digest(encoding);
}

export function deriveKey(secret: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, 'gatehouse', purpose, 32));
}

export function isSame(a: Buffer | string, b: Buffer | string): boolean {
  const left = typeof a === 'string' ? Buffer.from(a) : a;
  const right = typeof b === 'string' ? Buffer.from(b) : b;
  return left.length === right.length && timingSafeEqual(left, right);
}
