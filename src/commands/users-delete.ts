// The command `users delete`: removes a person with sessions, links and files; their number and address are free again.

import { removeBlobs } from '../files/remove-blobs.ts';
import { findOneUser } from '../support/find-one-user.ts';
import { removeUser } from '../support/remove-user.ts';
import type { Verb } from './operator-context.ts';
import { writePhone } from './write-text.ts';

export const usersDelete: Verb = async (context, [who = '']) => {
  const by = context.act();
  const store = await context.open();
  const user = await findOneUser(store, who);
  const { files } = await store.files.usage(user.id);
  const named = `${user.id} (${writePhone(user.phone, false)})`;
  await context.confirm(`This deletes ${named} and ${files} files for good.`);
  const blobs = await context.blobs();
  const removeFiles = async (ids: readonly string[]) => {
    const left = await removeBlobs({ ...store, blobs }, ids);
    if (left.length > 0)
      context.say(`The storage is away: the service removes the bytes of ${left.length} files later.`);
  };
  const gone = await removeUser({ ...store, removeBlobs: removeFiles }, { userId: user.id, by });
  context.show({ id: user.id, ...gone }, `${user.id} is deleted; files deleted: ${gone.deletedFiles}.`);
  return 0;
};
