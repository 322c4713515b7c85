// The current and the previous service secret, and the keys derived from them. Each purpose has its own key.
import { deriveKey } from './digest.ts';

export type KeyPurpose =
  | 'one-time code'
  | 'refresh token'
  | 'signing keys'
  | 'captcha'
  | 'sign-in link'
  | 'file link'
  | 'recipient mark'
  | 'ask token'
  | 'device token'
  | 'notice link'
  | 'proof ticket'
  | 'authorization ticket'
  | 'single sign-on'
  | 'browser session';

export type Secrets = {
  /** The id of the current secret. New tokens and codes use it. */
  readonly currentId: string;
  /** Undefined if the id is neither the current nor the previous secret. */
  findKey(purpose: KeyPurpose, secretId: string): Buffer | undefined;
  currentKey(purpose: KeyPurpose): Buffer;
  /** Every id that findKey knows, the current one first. */
  readonly ids: readonly string[];
};

export function createSecrets(current: string, previous?: string): Secrets {
  const texts = previous === undefined || previous === current ? [current] : [current, previous];
  const ids = texts.map(idOf);
  const keys = ids.map(() => new Map<KeyPurpose, Buffer>());
  const findKey = (purpose: KeyPurpose, secretId: string): Buffer | undefined => {
    const at = ids.indexOf(secretId);
    const known = keys[at]?.get(purpose);
    if (known !== undefined) return known;
    const text = texts[at];
    if (text === undefined) return undefined;
    const key = deriveKey(text, purpose);
    keys[at]?.set(purpose, key);
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

/** Two bytes in hex: enough to tell two secrets apart, too little to help guess one. */
function idOf(secret: string): string {
  return deriveKey(secret, 'secret id').subarray(0, 2).toString('hex');
}
