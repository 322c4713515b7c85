// Creates the signer of webhook SMS requests. A file of its own, so that its library loads only when it is used.
import { Webhook } from 'standardwebhooks';

/** With `whsec_` and valid base64, the key is the decoded bytes, as in the standard. Otherwise it is the UTF-8 bytes of the whole text. */
export function createSigner(key: string): Webhook {
  if (key.startsWith('whsec_')) {
    try {
      return new Webhook(key);
    } catch {}
  }
  return new Webhook(new TextEncoder().encode(key), { format: 'raw' });
}
