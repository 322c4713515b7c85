// The command `files delete`: removes one file for good.
import { deleteFile } from '../files/delete-file.ts';
import { isFileId } from '../files/stored-file.ts';
import { Failure } from '../kernel/failure.ts';
import type { Verb } from './desk.ts';

export const filesDelete: Verb = async (desk, [id = '']) => {
  const by = desk.act();
  const { files, sweeps, clock } = await desk.open();
  const file = isFileId(id) ? await files.findFile(id) : undefined;
  if (file === undefined) throw new Failure('FILE_NOT_FOUND');
  const { userId } = file;
  await desk.confirm(`This deletes ${id} of user ${userId} for good.`);
  await deleteFile({ files, sweeps, clock, blobs: await desk.blobs() }, { userId, id, by });
  desk.show({ id, userId }, `${id} is deleted.`);
  return 0;
};
