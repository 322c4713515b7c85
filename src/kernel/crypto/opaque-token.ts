// Tokens that only the service reads: version, secret id, what they say, and a MAC, as base64url text. It stores none of them.
import { isMac, writeMac } from './digest.ts';
import type { KeyPurpose, Secrets } from './secrets.ts';

type Form<About> = {
  readonly purpose: KeyPurpose;
  /** Of all bytes before the MAC: the version, two of the secret id, and what `fill` writes behind them. */
  readonly bodyLength: number;
  /** What the MAC is made of. `about` is not in the token: a reader must know it. */
  readonly signed: (body: Buffer, about: About) => string | Buffer;
};

/** `key`: the one of the MAC, for a part with a keyed hash of its own. */
type Keyed = { readonly body: Buffer; readonly key: Buffer };

type OpaqueTokens<About> = {
  /** `fill` gets a body of zeros after the secret id, and must not keep it. */
  write(secrets: Secrets, version: number, about: About, fill: (given: Keyed) => void): string;
  /** Undefined if the text is forged, of another version, about something else, or from a secret that is no longer configured. */
  read(secrets: Secrets, version: number, about: About, text: string | undefined): Keyed | undefined;
};

/** Where a body begins to say something. */
export const bodyStart = 3;
const macLength = 16;

export function createOpaqueTokens<About>({ purpose, bodyLength, signed }: Form<About>): OpaqueTokens<About> {
  // All calls share this memory, because none waits: with memory for each token a sign-in costs 3 µs more (bench/tried.md).
  const bytes = Buffer.alloc(bodyLength + macLength);
  const body = bytes.subarray(0, bodyLength);
  const mac = bytes.subarray(bodyLength);
  const textLength = Math.ceil((bytes.length * 4) / 3);
  return {
    write: (secrets, version, about, fill) => {
      body.fill(0);
      body[0] = version;
      body.write(secrets.currentId, 1, 'hex');
      const key = secrets.currentKey(purpose);
      fill({ body, key });
      writeMac(key, signed(body, about), mac, 0, macLength);
      return bytes.toString('base64url');
    },
    read: (secrets, version, about, text) => {
      if (text?.length !== textLength || bytes.write(text, 'base64url') !== bytes.length) return undefined;
      // Encodes the bytes again, so that each token has exactly one accepted spelling.
      if (body[0] !== version || bytes.toString('base64url') !== text) return undefined;
      const key = secrets.findKey(purpose, body.toString('hex', 1, bodyStart));
      return key !== undefined && isMac(key, signed(body, about), mac) ? { body: Buffer.from(body), key } : undefined;
    },
  };
}
