// The command `backup list`: the finished backups in the bucket, newest first.
import { listBackups } from '../../backup/prune-backups.ts';
import { formatBytes } from '../../kernel/format-bytes.ts';
import type { Command } from '../declarations.ts';
import { countOf } from '../write-text.ts';
import { openBucket } from './backup-place.ts';

export const backupList: Command<'backup list'> = async (context) => {
  const { bucket, keys } = await openBucket(context.config());
  const backups = (await listBackups(bucket, keys)).map(({ index: _, key, ...rest }) => ({
    ...rest,
    sealedWith: key.id,
  }));
  const lines = backups.map(
    ({ name, createdAt, users, files, bytes, areFilesIncluded }) =>
      `s3:${name}  ${createdAt}  ${countOf(users, 'user')}, ${countOf(files, 'file')} (${formatBytes(bytes)}${areFilesIncluded ? '' : ', not included'})`,
  );
  context.show({ backups }, lines.length === 0 ? 'There is no finished backup in the bucket.' : lines.join('\n'));
  return 0;
};
