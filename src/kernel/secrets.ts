// The service secret and the one before it, and the keys derived from them: one a purpose, so that none serves two ends.
import { deriveKey } from './digest.ts';

export type KeyPurpose =
  | 'one-time code'
  | 'refresh token'
  | 'signing keys'
  | 'captcha'
  | 'login link'
  | 'file link'
  | 'recipient mark'
  | 'ask token';

export type Secrets = {
  /** Names the secret in force, for what is made now. */
  readonly currentId: string;
  /** Undefined for a secret that is neither in force nor the previous one. */
  findKey(purpose: KeyPurpose, secretId: string): Buffer | undefined;
  currentKey(purpose: KeyPurpose): Buffer;
  /** Every id that findKey knows, the current one first. */
  readonly ids: readonly string[];
};

export function createSecrets(current: string, previous?: string): Secrets {
  const texts = previous === undefined || previous === current ? [current] : [current, previous];
  const ids = texts.map(idOf);
  const keys = new Map<string, Buffer>();
  const findKey = (purpose: KeyPurpose, secretId: string): Buffer | undefined => {
    const name = `${secretId} ${purpose}`;
    const known = keys.get(name);
    if (known !== undefined) return known;
    const text = texts[ids.indexOf(secretId)];
    if (text === undefined) return undefined;
    const key = deriveKey(text, purpose);
    keys.set(name, key);
    return key;
  };
  const currentId = idOf(current);
  return {
    currentId,
    ids,
    findKey,
    currentKey: (purpose) => {
      const key = findKey(purpose, currentId);
      if (key === undefined) throw new Error('the current secret has no key');
      return key;
    },
  };
}

/** Two bytes, in hex: enough to tell two secrets apart, useless for guessing one. */
function idOf(secret: string): string {
  return deriveKey(secret, 'secret id').subarray(0, 2).toString('hex');
}
