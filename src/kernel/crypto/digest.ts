// Hashes, keyed hashes, key derivation and constant-time comparison.
import { hash, hkdfSync, timingSafeEqual } from 'node:crypto';

export function sha256(data: string | Buffer): string {
  return hash('sha256', data, 'base64url');
}

const blockLength = 64;
const digestLength = 32;

/** Texts up to a third of this are hashed without a buffer of their own. */
const shortBytes = 768;

/** `inner` is the padded key and room for the text; `outer` is the padded key and the inner hash (RFC 2104). */
type Pads = { readonly inner: Buffer; readonly outer: Buffer };

/** The bytes of a key must not change after its first use. */
const padsByKey = new WeakMap<Buffer, Pads>();

/** Two one-shot hashes instead of `createHmac`, with which a sign-in costs 21 µs more, 5 % (bench/tried.md). */
export function hmacSha256(key: Buffer, data: string | Buffer): Buffer;
export function hmacSha256(key: Buffer, data: string | Buffer, encoding: 'base64url' | 'hex'): string;
export function hmacSha256(key: Buffer, data: string | Buffer, encoding?: 'base64url' | 'hex'): Buffer | string {
  return encoding === undefined ? Buffer.from(keyed(key, data, 'latin1'), 'latin1') : keyed(key, data, encoding);
}

/** Writes the first bytes of the keyed hash into the target. */
export function writeMac(key: Buffer, data: string | Buffer, target: Buffer, at: number, bytes: number): void {
  target.write(keyed(key, data, 'latin1'), at, bytes, 'latin1');
}

const expected = Buffer.alloc(digestLength);

/** Compares the first bytes of the keyed hash with the given ones, in constant time. */
export function isMac(key: Buffer, data: string | Buffer, given: Buffer): boolean {
  writeMac(key, data, expected, 0, digestLength);
  return timingSafeEqual(given.length === digestLength ? expected : expected.subarray(0, given.length), given);
}

/** A digest as latin1 text needs no memory outside the heap: that of a Buffer costs more than the hash. */
function keyed(key: Buffer, data: string | Buffer, encoding: 'latin1' | 'base64url' | 'hex'): string {
  const { inner, outer } = padsOf(key);
  outer.write(hash('sha256', padded(inner, data), 'latin1'), blockLength, 'latin1');
  return hash('sha256', outer, encoding);
}

/** The padded key and the text. A code unit of a text becomes three bytes at most. */
function padded(inner: Buffer, data: string | Buffer): Buffer {
  const isText = typeof data === 'string';
  if (data.length * (isText ? 3 : 1) > shortBytes)
    return Buffer.concat([inner.subarray(0, blockLength), isText ? Buffer.from(data) : data]);
  const length = isText ? inner.write(data, blockLength) : data.copy(inner, blockLength);
  return inner.subarray(0, blockLength + length);
}

function padsOf(key: Buffer): Pads {
  const known = padsByKey.get(key);
  if (known !== undefined) return known;
  const pads = {
    inner: Buffer.alloc(blockLength + shortBytes, 0x36),
    outer: Buffer.alloc(blockLength + digestLength, 0x5c),
  };
  const bytes = key.length > blockLength ? hash('sha256', key, 'buffer') : key;
  for (const pad of [pads.inner, pads.outer]) for (const [at, byte] of bytes.entries()) pad[at] = byte ^ (pad[at] ?? 0);
  padsByKey.set(key, pads);
  return pads;
}

/** By their texts. There are a few for each configured secret. */
const writtenKeys = new Map<string, Buffer>();
const mostWrittenKeys = 32;

/** Reads a key that was passed on as base64url text. The same text gives the same key, so that its pads are made once. */
export function readKey(text: string): Buffer {
  const known = writtenKeys.get(text);
  if (known !== undefined) return known;
  if (writtenKeys.size >= mostWrittenKeys) writtenKeys.clear();
  const key = Buffer.from(text, 'base64url');
  writtenKeys.set(text, key);
  return key;
}

const keyTexts = new WeakMap<Buffer, string>();

/** The text that `readKey` reads. */
export function writeKey(key: Buffer): string {
  const known = keyTexts.get(key);
  if (known !== undefined) return known;
  const text = key.toString('base64url');
  keyTexts.set(key, text);
  return text;
}

export function deriveKey(secret: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, 'gatehouse', purpose, 32));
}

export function isSame(a: Buffer | string, b: Buffer | string): boolean {
  const left = typeof a === 'string' ? Buffer.from(a) : a;
  const right = typeof b === 'string' ? Buffer.from(b) : b;
  return left.length === right.length && timingSafeEqual(left, right);
}
