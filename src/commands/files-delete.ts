// The command `files delete`: removes one file for good.
import { deleteFile } from '../files/delete-file.ts';
import { isFileId } from '../files/stored-file.ts';
import { Failure } from '../kernel/failure.ts';
import type { Verb } from './operator-context.ts';

export const filesDelete: Verb = async (context, [id = '']) => {
  const by = context.act();
  const { files, sweeps, clock } = await context.open();
  const file = isFileId(id) ? await files.findFile(id) : undefined;
  if (file === undefined) throw new Failure('FILE_NOT_FOUND');
  const { userId } = file;
  await context.confirm(`This deletes ${id} of user ${userId} for good.`);
  await deleteFile({ files, sweeps, clock, blobs: await context.blobs() }, { userId, id, by });
  context.show({ id, userId }, `${id} is deleted.`);
  return 0;
};
