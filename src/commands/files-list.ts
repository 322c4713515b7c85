// The command `files list`: the files of one user, newest first, or of all, by id.

import { formatBytes } from '../kernel/format-bytes.ts';
import { findPerson } from '../support/find-one-user.ts';
import type { Verb } from './desk.ts';
import { readLimit } from './read-options.ts';
import { isoTime, writeTable, writeTime } from './write-text.ts';

export const filesList: Verb = async (desk, _, options) => {
  const counter = await desk.open();
  const most = readLimit(options.limit, 100);
  const found =
    options.user === undefined
      ? await counter.files.listAll({ after: '', most })
      : await counter.files.listFiles({
          userId: (await findPerson(counter, options.user)).id,
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
  desk.show({ files: data }, rows.length === 0 ? '' : writeTable(head, rows));
  if (rows.length === 0) desk.say('No files.');
  if (rows.length === most) desk.say(`The first ${most}; --limit shows more.`);
  return 0;
};
