// Encrypts a small text with a key derived from the service secret. What was changed, or sealed for another purpose, does not open.
import { createCipheriv, createDecipheriv } from 'node:crypto';
import { randomPart } from './random.ts';
import type { KeyPurpose, Secrets } from './secrets.ts';

const tagLength = 16;

/** Never the same text twice. */
export function seal(secrets: Secrets, purpose: KeyPurpose, plain: Buffer): string {
  const iv = randomPart(12);
  const cipher = createCipheriv('aes-256-gcm', secrets.currentKey(purpose), iv);
  const encrypted = Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
  return `${secrets.currentId}.${iv.toString('base64url')}.${encrypted.toString('base64url')}`;
}

/** Undefined if the text is forged, or if its secret is no longer configured. */
export function unseal(secrets: Secrets, purpose: KeyPurpose, text: string): Buffer | undefined {
  const [secretId = '', ivText = '', encryptedText = ''] = text.split('.', 3);
  const key = secrets.findKey(purpose, secretId);
  if (key === undefined) return undefined;
  const iv = Buffer.from(ivText, 'base64url');
  const encrypted = Buffer.from(encryptedText, 'base64url');
  // Each sealed text has one spelling only.
  if (`${secretId}.${iv.toString('base64url')}.${encrypted.toString('base64url')}` !== text) return undefined;
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, iv, { authTagLength: tagLength });
    decipher.setAuthTag(encrypted.subarray(-tagLength));
    return Buffer.concat([decipher.update(encrypted.subarray(0, -tagLength)), decipher.final()]);
  } catch {
    return undefined;
  }
}
