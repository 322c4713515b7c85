// Creates the signer of webhook SMS requests. A file of its own, so that its library loads only when it is used.
import { Webhook } from 'standardwebhooks';

/** `whsec_` and valid base64: the decoded bytes are the key, as the standard has it. Any other text: its UTF-8 bytes, prefix included. */
export function createSigner(key: string): Webhook {
  if (key.startsWith('whsec_')) {
    try {
      return new Webhook(key);
    } catch {}
  }
  return new Webhook(new TextEncoder().encode(key), { format: 'raw' });
}
