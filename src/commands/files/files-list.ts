// The command `files list`: lists the files of one user, newest first and then the trash, or of all users, by id.

import type { StoredFile } from '../../files/stored-file.ts';
import type { UserId } from '../../kernel/ids.ts';
import { formatBytes } from '../../kernel/text/format-bytes.ts';
import type { Ports } from '../../store/ports.ts';
import { findOneUser } from '../../support/users/find-one-user.ts';
import type { Command } from '../declarations.ts';
import { isoTime, writeTable, writeTime } from '../write-text.ts';
import { fileTimes, stateOf } from './file-times.ts';

export const filesList: Command<'files list'> = async (context, { user, limit }) => {
  const store = await context.open();
  const now = store.clock.now();
  const found =
    user === undefined
      ? await store.files.listAll({ after: '', most: limit })
      : await listOfUser(store, { userId: (await findOneUser(store, user)).id, most: limit, now });
  const data = found.map((file) => ({ ...file, createdAt: isoTime(file.createdAt), ...fileTimes(file) }));
  const rows = found.map((file) => [
    file.id,
    file.userId,
    file.purpose,
    file.type,
    formatBytes(file.size),
    writeTime(file.createdAt),
    stateOf(file, now),
    file.name,
  ]);
  const head = ['id', 'user', 'purpose', 'type', 'size', 'stored', 'state', 'name'];
  context.show({ files: data }, rows.length === 0 ? '' : writeTable(head, rows));
  if (rows.length === 0) context.say('No files.');
  if (rows.length === limit) context.say(`These are the first ${limit}; --limit shows more.`);
  return 0;
};

type Listing = { readonly userId: UserId; readonly most: number; readonly now: number };

async function listOfUser({ files, trash }: Pick<Ports, 'files' | 'trash'>, input: Listing): Promise<StoredFile[]> {
  const visible = await files.listFiles({ ...input, before: undefined });
  const most = input.most - visible.length;
  return most === 0 ? visible : [...visible, ...(await trash.listTrash({ ...input, before: undefined, most }))];
}
