// Solves the service's proof of work (ALTCHA, PBKDF2 with SHA-256) and returns the value of the captcha-token header.

export type Challenge = {
  readonly parameters: {
    readonly nonce: string;
    readonly salt: string;
    readonly cost: number;
    readonly keyLength: number;
    readonly keyPrefix: string;
    /** The highest counter that can be the solution. */
    readonly data?: { readonly mostCounter?: number };
  };
  readonly signature: string;
};

/** Receives the progress of the search, from 0 to 1. */
export type ReportProgress = (progress: number) => void;

/** WebCrypto runs on its own threads, so several keys are derived at the same time. */
const batchSize = 8;
const maxMilliseconds = 90_000;

export async function solveChallenge(challenge: Challenge, report: ReportProgress = () => undefined): Promise<string> {
  const { nonce, salt, cost, keyLength, keyPrefix, data } = challenge.parameters;
  const startedAt = Date.now();
  const derive = createDerive(fromHex(nonce), fromHex(salt), cost, keyLength);
  for (let first = 0; Date.now() - startedAt < maxMilliseconds; first += batchSize) {
    const keys = await Promise.all(Array.from({ length: batchSize }, (_, offset) => derive(first + offset)));
    const found = keys.findIndex((key) => key.startsWith(keyPrefix.toLowerCase()));
    if (data?.mostCounter !== undefined) report(Math.min(1, (first + batchSize) / (data.mostCounter + 1)));
    if (found === -1) continue;
    report(1);
    const solution = { counter: first + found, derivedKey: keys[found], time: Date.now() - startedAt };
    return btoa(JSON.stringify({ challenge, solution }));
  }
  throw new Error('the challenge was not solved in time');
}

/** Derives the key of a counter. The password is the nonce followed by the counter in four bytes. */
function createDerive(nonce: Uint8Array<ArrayBuffer>, salt: Uint8Array<ArrayBuffer>, cost: number, length: number) {
  return async (counter: number): Promise<string> => {
    const password = new Uint8Array(nonce.length + 4);
    password.set(nonce);
    new DataView(password.buffer).setUint32(nonce.length, counter);
    const key = await crypto.subtle.importKey('raw', password, 'PBKDF2', false, ['deriveBits']);
    const algorithm = { name: 'PBKDF2', hash: 'SHA-256', salt, iterations: cost };
    return toHex(new Uint8Array(await crypto.subtle.deriveBits(algorithm, key, length * 8)));
  };
}

function fromHex(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
