// The command `files list`: the files of one user, newest first, or of all, by id.

import { formatBytes } from '../kernel/format-bytes.ts';
import { findOneUser } from '../support/find-one-user.ts';
import type { Verb } from './operator-context.ts';
import { readLimit } from './read-options.ts';
import { isoTime, writeTable, writeTime } from './write-text.ts';

export const filesList: Verb = async (context, _, options) => {
  const store = await context.open();
  const most = readLimit(options.limit, 100);
  const found =
    options.user === undefined
      ? await store.files.listAll({ after: '', most })
      : await store.files.listFiles({
          userId: (await findOneUser(store, options.user)).id,
          before: undefined,
          most,
        });
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
  if (rows.length === most) context.say(`The first ${most}; --limit shows more.`);
  return 0;
};
