// The MAC of backups and journals: proves that whoever wrote them had BACKUP_KEY, and that nothing was changed since.
import type { ContentHash } from '../files/storage/blob-store.ts';
import { deriveKey, hmacSha256, isSame } from '../kernel/crypto/digest.ts';
import { BackupError } from './snapshot.ts';

/** Each has a key of its own, so the MAC of one does not fit the other. */
type MacPurpose = 'manifest' | 'journal';

export type BackupKey = {
  /** Tells keys apart. It says nothing about the key. */
  readonly id: string;
  /** Seals what leaves this machine. */
  readonly sealing: Buffer;
  sign(purpose: MacPurpose, text: string): string;
  /** The name of bytes in a bucket: the same for the same bytes, and nobody without the key can tell which bytes they are. */
  nameOf(sha256: ContentHash): string;
};

/** Throws BackupError if the MAC is not as it must be. */
export type CheckMac = (purpose: MacPurpose, text: string, mac: string | undefined) => void;

export type MacVerdict = 'right' | 'wrong' | 'other key' | 'missing' | 'not checked' | 'no key';

export function createBackupKey(secret: string): BackupKey {
  const id = deriveKey(secret, 'backup key id').subarray(0, 4).toString('hex');
  const keys = {
    manifest: deriveKey(secret, 'backup manifest'),
    journal: deriveKey(secret, 'backup journal'),
  } as const satisfies Record<MacPurpose, Buffer>;
  const naming = deriveKey(secret, 'backup names');
  return {
    id,
    sealing: deriveKey(secret, 'backup sealing'),
    sign: (purpose, text) => `${id} ${hmacSha256(keys[purpose], text, 'hex')}`,
    nameOf: (sha256) => hmacSha256(naming, sha256, 'hex'),
  };
}

/** The keys that may have made it, the current one first. `no key`: there is neither a key nor a MAC. */
export function judgeMac(
  keys: readonly BackupKey[],
  purpose: MacPurpose,
  text: string,
  mac: string | undefined,
): MacVerdict {
  if (keys.length === 0) return mac === undefined ? 'no key' : 'not checked';
  if (mac === undefined) return 'missing';
  const given = mac.trim();
  const key = keys.find(({ id }) => given.startsWith(`${id} `));
  if (key === undefined) return /^[0-9a-f]{8} [0-9a-f]{64}$/.test(given) ? 'other key' : 'wrong';
  return isSame(key.sign(purpose, text), given) ? 'right' : 'wrong';
}

const names: Readonly<Record<MacPurpose, string>> = { manifest: 'backup', journal: 'journal' };

/** In a journal each line has one of its own. */
const unsigned: Readonly<Record<MacPurpose, string>> = {
  manifest: 'The backup has no MAC',
  journal: 'A line of the journal has no MAC',
};

/** A MAC that does not fit is refused always. `acceptsUnproven`: one that is missing, or cannot be checked without a key, is not. */
export function requireMac(keys: readonly BackupKey[], acceptsUnproven: boolean): CheckMac {
  return (purpose, text, mac) => {
    const verdict = judgeMac(keys, purpose, text, mac);
    const isEnough = verdict === 'right' || verdict === 'no key';
    const isUnproven = verdict === 'missing' || verdict === 'not checked';
    if (isEnough || (isUnproven && acceptsUnproven)) return;
    throw new BackupError(problems[verdict](names[purpose], unsigned[purpose]));
  };
}

const problems: Readonly<Record<Exclude<MacVerdict, 'right' | 'no key'>, (what: string, without: string) => string>> = {
  wrong: (what) => `The ${what} was changed after it was made, or was not made with BACKUP_KEY: its MAC is wrong.`,
  'other key': (what) =>
    `The ${what} was made with another BACKUP_KEY. Set BACKUP_KEY or BACKUP_KEY_PREVIOUS to the key of that time.`,
  missing: (_, without) =>
    `${without}, so it may be forged. If it was made before BACKUP_KEY was set and you trust the place where it was kept, add --unauthenticated.`,
  'not checked': (what) =>
    `The ${what} has a MAC, and BACKUP_KEY is not set. Set the key that it was made with, or add --unauthenticated if that key is lost.`,
};

/** What continues something signed is signed too: a restore with the key would refuse it otherwise. */
export function refuseUnsigned(path: string, isSigned: boolean, key: BackupKey | undefined): void {
  if (!isSigned || key !== undefined) return;
  throw new BackupError(
    `${path} is signed, and BACKUP_KEY is not set, so what continues it would not be. Set the key that it was made with, or begin a new one.`,
  );
}
