// A mark that stands for a phone number or an address in what is written down: found again with the secret, of no use without.
import { hmacSha256 } from './digest.ts';
import type { Secrets } from './secrets.ts';

/** Nine bytes. */
const markLength = 12;

export function markRecipient(secrets: Secrets, recipient: string): string {
  return write(secrets.currentKey('recipient mark'), recipient);
}

/** Under the secret in force and the one before it: what was written down before a change is still found. */
export function marksOf(secrets: Secrets, recipient: string): string[] {
  return secrets.ids.flatMap((id) => {
    const key = secrets.findKey('recipient mark', id);
    return key === undefined ? [] : [write(key, recipient)];
  });
}

function write(key: Buffer, recipient: string): string {
  return hmacSha256(key, recipient.toLowerCase(), 'base64url').slice(0, markLength);
}
