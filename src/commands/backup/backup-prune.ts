// The command `backup prune`: keeps the newest backups of the bucket, and removes the others with what only they need.
import { pruneBackups } from '../../backup/bucket/prune-backups.ts';
import { systemClock } from '../../kernel/clock.ts';
import { formatBytes } from '../../kernel/text/format-bytes.ts';
import { CommandError } from '../command-error.ts';
import type { Command } from '../declarations.ts';
import { tell } from '../terminal.ts';
import { countOf } from '../write-text.ts';
import { openBucket } from './backup-place.ts';
import { tellUnreadable } from './tell-unreadable.ts';

export const backupPrune: Command<'backup prune'> = async (context, { keep, yes }) => {
  const count = /^[1-9]\d{0,5}$/.test(keep) ? Number(keep) : undefined;
  if (count === undefined) throw new CommandError('--keep takes how many backups remain, 1 or more.', 2);
  const { bucket, keys } = await openBucket(context.config());
  const pruned = await pruneBackups({ bucket, keys, clock: systemClock }, { keep: count, isDry: !yes });
  const names = pruned.backups.map((name) => `s3:${name}`).join(', ');
  const { unreadable } = pruned;
  const objects = `${countOf(pruned.objects, 'object')} that no other backup needs (${formatBytes(pruned.bytes)})`;
  const what = `${countOf(pruned.backups.length, 'backup')}${names === '' ? '' : ` (${names})`} and ${unreadable.length === 0 ? objects : 'no objects'}`;
  context.show({ ...pruned, isDone: yes }, yes ? `Removed ${what}.` : `This would remove ${what}. Add --yes to do it.`);
  const code = tellUnreadable(unreadable);
  if (code !== 0)
    tell(
      'All objects stay, because these backups may need them. Set the key of each, or remove its index from the bucket (backups/NAME), and prune again.\n',
    );
  return code;
};
