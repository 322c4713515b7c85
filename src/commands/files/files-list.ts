// The command `files list`: lists the files of one user, newest first, or of all users, by id.
import { formatBytes } from '../../kernel/format-bytes.ts';
import { findOneUser } from '../../support/find-one-user.ts';
import type { Command } from '../declarations.ts';
import { isoTime, writeTable, writeTime } from '../write-text.ts';

export const filesList: Command<'files list'> = async (context, { user, limit }) => {
  const store = await context.open();
  const found =
    user === undefined
      ? await store.files.listAll({ after: '', most: limit })
      : await store.files.listFiles({ userId: (await findOneUser(store, user)).id, before: undefined, most: limit });
  const data = found.map((file) => ({ ...file, createdAt: isoTime(file.createdAt) }));
  const rows = found.map(({ id, userId, purpose, type, size, createdAt, name }) => [
    id,
    userId,
    purpose,
    type,
    formatBytes(size),
    writeTime(createdAt),
    name,
  ]);
  const head = ['id', 'user', 'purpose', 'type', 'size', 'stored', 'name'];
  context.show({ files: data }, rows.length === 0 ? '' : writeTable(head, rows));
  if (rows.length === 0) context.say('No files.');
  if (rows.length === limit) context.say(`These are the first ${limit}; --limit shows more.`);
  return 0;
};
