// A keyed hash that replaces a phone number or an e-mail address in stored events. Without the secret it reveals nothing.
import { hmacSha256 } from './digest.ts';
import type { Secrets } from './secrets.ts';

/** 12 base64url characters are nine bytes. */
const markLength = 12;

export function markRecipient(secrets: Secrets, recipient: string): string {
  return write(secrets.currentKey('recipient mark'), recipient);
}

/** One mark per secret, current and previous, so that events from before a change of the secret are still found. */
export function marksOf(secrets: Secrets, recipient: string): string[] {
  return secrets.ids.flatMap((id) => {
    const key = secrets.findKey('recipient mark', id);
    return key === undefined ? [] : [write(key, recipient)];
  });
}

function write(key: Buffer, recipient: string): string {
  return hmacSha256(key, recipient.toLowerCase(), 'base64url').slice(0, markLength);
}
