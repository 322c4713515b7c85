// A keyed hash that replaces a phone number or an e-mail address in stored events. Without the secret it reveals nothing.
import { hmacSha256, readKey, writeKey } from './digest.ts';
import type { Secrets } from './secrets.ts';

/** 12 base64url characters are nine bytes. */
const markLength = 12;

export function markRecipient(secrets: Secrets, recipient: string): string {
  return write(secrets.currentKey('recipient mark'), recipient);
}

/** The key of `markRecipient` as text, for whoever marks a recipient later, if at all. */
export function recipientMarkKey(secrets: Secrets): string {
  return writeKey(secrets.currentKey('recipient mark'));
}

export function markWith(key: string, recipient: string): string {
  return write(readKey(key), recipient);
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
