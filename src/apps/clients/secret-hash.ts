// The hash of an app's secret. Secrets are long random texts, so that one SHA-256 is enough: there is nothing to guess.
import { hash } from 'node:crypto';

export const secretHashCure =
  'must be the SHA-256 of the secret: 64 hexadecimal digits, or base64url (gatehouse apps secret writes it)';

/** In hexadecimal. */
export function hashSecret(secret: string): string {
  return hash('sha256', secret, 'hex');
}

/** In hexadecimal. Accepts hexadecimal and base64url, and “sha256:” before it. Undefined for anything else. */
export function parseSecretHash(text: string): string | undefined {
  const digest = text.startsWith('sha256:') ? text.slice('sha256:'.length) : text;
  const hex = /^[0-9a-f]{64}$/i.test(digest) ? digest.toLowerCase() : fromBase64url(digest);
  // An empty shell variable, hashed: everybody would know the secret.
  return hex === hashSecret('') ? undefined : hex;
}

function fromBase64url(text: string): string | undefined {
  if (!/^[\w-]{43}=?$/.test(text)) return undefined;
  const bytes = Buffer.from(text, 'base64url');
  return bytes.toString('base64url') === text.slice(0, 43) ? bytes.toString('hex') : undefined;
}
