// The current service secret, others that are accepted, and the keys derived from them. Each purpose has its own key.
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
  /** Undefined if the id is that of no accepted secret. */
  findKey(purpose: KeyPurpose, secretId: string): Buffer | undefined;
  currentKey(purpose: KeyPurpose): Buffer;
  /** Every id that findKey knows, the current one first. */
  readonly ids: readonly string[];
};

export type LiveSecrets = Secrets & {
  /** From now on these are the secrets. Whoever holds the object uses them. */
  replace(current: string, others?: string): void;
};

/** `others`: secrets that are accepted too, one on each line: those before the current one, and the next one. */
export function createSecrets(current: string, others?: string): LiveSecrets {
  let set = createSet(current, others);
  const findKey = (purpose: KeyPurpose, secretId: string) => set.findKey(purpose, secretId);
  return {
    get currentId() {
      return set.currentId;
    },
    get ids() {
      return set.ids;
    },
    findKey,
    currentKey: (purpose) => {
      const key = findKey(purpose, set.currentId);
      if (key === undefined) throw new Error('the current secret has no key');
      return key;
    },
    replace: (nextCurrent, nextOthers) => {
      set = createSet(nextCurrent, nextOthers);
    },
  };
}

/** Every character counts, blanks too: a secret that worked before the line had company works on. */
export function splitSecrets(others: string | undefined): string[] {
  return (others ?? '').split(/\r?\n/).filter((line) => line.trim() !== '');
}

type SecretSet = Pick<Secrets, 'currentId' | 'ids' | 'findKey'>;

function createSet(current: string, others: string | undefined): SecretSet {
  const texts = [...new Set([current, ...splitSecrets(others)])];
  const ids = texts.map(idOf);
  const keys = ids.map(() => new Map<KeyPurpose, Buffer>());
  return {
    currentId: idOf(current),
    ids,
    findKey: (purpose, secretId) => {
      const at = ids.indexOf(secretId);
      const known = keys[at]?.get(purpose);
      if (known !== undefined) return known;
      const text = texts[at];
      if (text === undefined) return undefined;
      const key = deriveKey(text, purpose);
      keys[at]?.set(purpose, key);
      return key;
    },
  };
}

/** Two bytes in hex: enough to tell two secrets apart, too little to help guess one. */
function idOf(secret: string): string {
  return deriveKey(secret, 'secret id').subarray(0, 2).toString('hex');
}
