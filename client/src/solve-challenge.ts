// Solves the service's proof of work (ALTCHA, PBKDF2 with SHA-256) and gives the text for the header captcha-token.

export type Challenge = {
  readonly parameters: {
    readonly nonce: string;
    readonly salt: string;
    readonly cost: number;
    readonly keyLength: number;
    readonly keyPrefix: string;
    /** The last counter that can be the right one. */
    readonly data?: { readonly mostCounter?: number };
  };
  readonly signature: string;
};

/** Told how far the search has come, from 0 to 1. */
export type Tell = (share: number) => void;

/** So many keys are derived at a time, because WebCrypto works in threads of its own. */
const atOnce = 8;
const longestMilliseconds = 90_000;

export async function solveChallenge(challenge: Challenge, tell: Tell = () => undefined): Promise<string> {
  const { nonce, salt, cost, keyLength, keyPrefix, data } = challenge.parameters;
  const begin = Date.now();
  const derive = createDerive(fromHex(nonce), fromHex(salt), cost, keyLength);
  for (let first = 0; Date.now() - begin < longestMilliseconds; first += atOnce) {
    const keys = await Promise.all(Array.from({ length: atOnce }, (_, offset) => derive(first + offset)));
    const found = keys.findIndex((key) => key.startsWith(keyPrefix.toLowerCase()));
    if (data?.mostCounter !== undefined) tell(Math.min(1, (first + atOnce) / (data.mostCounter + 1)));
    if (found === -1) continue;
    tell(1);
    const solution = { counter: first + found, derivedKey: keys[found], time: Date.now() - begin };
    return btoa(JSON.stringify({ challenge, solution }));
  }
  throw new Error('the challenge was not solved in time');
}

/** The key of a counter: derived from the nonce with the counter behind it, in four bytes. */
function createDerive(nonce: Uint8Array<ArrayBuffer>, salt: Uint8Array<ArrayBuffer>, cost: number, length: number) {
  return async (counter: number): Promise<string> => {
    const password = new Uint8Array(nonce.length + 4);
    password.set(nonce);
    new DataView(password.buffer).setUint32(nonce.length, counter);
    const key = await crypto.subtle.importKey('raw', password, 'PBKDF2', false, ['deriveBits']);
    const how = { name: 'PBKDF2', hash: 'SHA-256', salt, iterations: cost };
    return toHex(new Uint8Array(await crypto.subtle.deriveBits(how, key, length * 8)));
  };
}

function fromHex(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
