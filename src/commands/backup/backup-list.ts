// The command `backup list`: the finished backups in the bucket, newest first. Exit code 1 if one cannot be opened.
import { listBackups } from '../../backup/bucket/prune-backups.ts';
import { formatBytes } from '../../kernel/text/format-bytes.ts';
import type { Command } from '../declarations.ts';
import { countOf } from '../write-text.ts';
import { openBucket } from './backup-place.ts';
import { tellUnreadable } from './tell-unreadable.ts';

export const backupList: Command<'backup list'> = async (context) => {
  const { bucket, keys } = await openBucket(context.config());
  const listed = await listBackups(bucket, keys);
  const backups = listed.backups.map(({ index: _, key, ...rest }) => ({
    ...rest,
    sealedWith: key.id,
  }));
  const lines = backups.map(
    ({ name, createdAt, users, files, bytes, areFilesIncluded }) =>
      `s3:${name}  ${createdAt}  ${countOf(users, 'user')}, ${countOf(files, 'file')} (${formatBytes(bytes)}${areFilesIncluded ? '' : ', not included'})`,
  );
  const { unreadable } = listed;
  const nothing = `There is no finished backup in the bucket${unreadable.length === 0 ? '' : ' that can be opened'}.`;
  context.show({ backups, unreadable }, lines.length === 0 ? nothing : lines.join('\n'));
  return tellUnreadable(unreadable);
};
