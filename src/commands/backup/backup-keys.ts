// The keys of backups and journals: the one that signs, and those whose MAC is accepted.
import { type BackupKey, createBackupKey } from '../../backup/backup-mac.ts';
import type { Config } from '../../config/config.ts';
import { CommandError } from '../command-error.ts';

type Keys = Pick<Config, 'backupKey' | 'previousBackupKey'>;

/** Undefined: nothing is signed. An operator who sets only a previous key expects a MAC. */
export function signingKey({ backupKey, previousBackupKey }: Keys): BackupKey | undefined {
  if (backupKey === undefined && previousBackupKey !== undefined)
    throw new CommandError(
      'BACKUP_KEY_PREVIOUS is set, and BACKUP_KEY is not: nothing would be signed. Set BACKUP_KEY, or remove both.',
      78,
    );
  return backupKey === undefined ? undefined : createBackupKey(backupKey);
}

/** Ends what a command says about what it has written: a key that is missing is noticed then, and not in a disaster. */
export function tellSignature(key: BackupKey | undefined): string {
  return key === undefined ? 'Not signed, because BACKUP_KEY is not set.' : `Signed with key ${key.id}.`;
}

export function acceptedKeys({ backupKey, previousBackupKey }: Keys): BackupKey[] {
  return [backupKey, previousBackupKey].filter((secret) => secret !== undefined).map(createBackupKey);
}
