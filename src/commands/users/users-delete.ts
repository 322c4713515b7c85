// The command `users delete`: removes a user with all sessions, links and files. The phone number and e-mail address become free.
import type { RemovalId } from '../../files/sweeps/removal-queue.ts';
import { removeBytes } from '../../files/sweeps/remove-bytes.ts';
import { findOneUser } from '../../support/users/find-one-user.ts';
import { removeUser } from '../../support/users/remove-user.ts';
import type { Command } from '../declarations.ts';
import { writePhone } from '../write-text.ts';

export const usersDelete: Command<'users delete'> = async (context, { who, reason, yes }) => {
  const by = context.act(reason);
  const store = await context.open();
  const user = await findOneUser(store, who);
  const { files } = await store.files.usage(user.id);
  const named = `${user.id} (${writePhone(user.phone, false)})`;
  await context.confirm(`This deletes ${named} and ${files} files permanently.`, yes);
  const blobs = await context.blobs();
  const removeFiles = async (ids: readonly RemovalId[], deletedAt: number) => {
    const left = await removeBytes({ ...store, blobs }, ids, deletedAt);
    if (left.length > 0)
      context.say(
        `The storage is slow or not available: the service removes the bytes of ${left.length} files and uploads later.`,
      );
  };
  const gone = await removeUser({ ...store, removeBytes: removeFiles }, { userId: user.id, by });
  context.show({ id: user.id, ...gone }, `${user.id} is deleted; files deleted: ${gone.deletedFiles}.`);
  return 0;
};
