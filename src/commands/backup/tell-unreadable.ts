// Names the backups of a bucket that cannot be opened. They hinder no other backup.
import type { UnreadableBackup } from '../../backup/bucket/prune-backups.ts';
import { tell } from '../terminal.ts';

/** Returns the exit code. */
export function tellUnreadable(unreadable: readonly UnreadableBackup[]): 0 | 1 {
  for (const { name, trouble } of unreadable) tell(`s3:${name} cannot be opened: ${trouble}\n`);
  return unreadable.length === 0 ? 0 : 1;
}
