// Unguessable bytes and ids.
import { randomBytes, randomUUIDv7 } from 'node:crypto';

/** Time-ordered, so that rows made together lie together and old rows form a range. */
export function newId(): string {
  return randomUUIDv7();
}

export function randomText(bytes: number): string {
  return randomBytes(bytes).toString('base64url');
}

/** The smallest id that newId() could have made at that time: the end of a range of older rows. */
export function firstIdAt(milliseconds: number): string {
  const hex = Math.max(0, Math.floor(milliseconds)).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}
