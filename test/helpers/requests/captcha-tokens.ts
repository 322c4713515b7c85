// Solutions of ALTCHA challenges without the work: a test that knows the secret signs both, which saves a second for each.
import { randomBytes } from 'node:crypto';
import { hmacSha256 } from '../../../src/kernel/crypto/digest.ts';
import { createSecrets } from '../../../src/kernel/crypto/secrets.ts';

/** Returns a new single-use token at every call. */
export function captchaMint(secret: string): () => string {
  const key = createSecrets(secret).currentKey('captcha');
  const sign = (name: string, data: string | Buffer) =>
    hmacSha256(Buffer.from(hmacSha256(key, name).toString('hex')), data).toString('hex');
  return () => {
    const derivedKey = randomBytes(32);
    // In the order of their names, which is the signed order.
    const parameters = {
      expiresAt: Math.ceil(Date.now() / 1000) + 120,
      keySignature: sign('solution 1', derivedKey),
      nonce: randomBytes(16).toString('hex'),
    };
    const challenge = { parameters, signature: sign('challenge', JSON.stringify(parameters)) };
    const solution = { counter: 1, derivedKey: derivedKey.toString('hex') };
    return Buffer.from(JSON.stringify({ challenge, solution })).toString('base64');
  };
}
