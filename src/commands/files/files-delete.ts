// The command `files delete`: deletes one file permanently.

import { isFileId } from '../../files/stored-file.ts';
import { deleteFile } from '../../files/trash/delete-file.ts';
import { Failure } from '../../kernel/failure.ts';
import type { Command } from '../declarations.ts';

export const filesDelete: Command<'files delete'> = async (context, { id, reason, yes }) => {
  const by = context.act(reason);
  const { files, removals, clock } = await context.open();
  const file = isFileId(id) ? await files.findRecord(id) : undefined;
  if (file === undefined) throw new Failure('FILE_NOT_FOUND');
  const { userId } = file;
  await context.confirm(`This deletes ${id} of user ${userId} permanently.`, yes);
  await deleteFile({ files, removals, clock, blobs: await context.blobs() }, { userId, id, by });
  context.show({ id, userId }, `${id} is deleted.`);
  return 0;
};
