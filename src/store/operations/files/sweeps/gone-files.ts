// Removes files for good, together with their links and named readers, and queues their bytes for removal.

import type { QueuedRemoval } from '../../../../files/sweeps/removal-queue.ts';
import type { FileId, UserId } from '../../../../kernel/ids.ts';
import { remove } from '../../../engine/rows.ts';
import { sql } from '../../../engine/sql.ts';
import { statement } from '../../../engine/statement.ts';
import type { Transaction } from '../../../engine/transaction.ts';
import { queueRemovals } from './removals.ts';

/** The last change of the operation to tables of files. The caller locks the usage of their owners before, and counts it. */
export async function removeFileRows(
  transaction: Transaction,
  files: ReadonlyMap<FileId, QueuedRemoval>,
): Promise<void> {
  const gone = [...files.keys()];
  await remove(
    transaction,
    'files',
    gone.map((id) => ({ id })),
  );
  await removeSharingRows(transaction, gone);
  await queueRemovals(transaction, files.values());
}

/** For an operation that removes the records itself. The files are locked before. `readers`: users who can read no file any more. */
export async function removeSharingRows(
  transaction: Transaction,
  fileIds: readonly FileId[],
  readers: readonly UserId[] = [],
): Promise<void> {
  const wanted = fileIds.map((id) => ({ file_id: id }));
  if (wanted.length > 0) await transaction.run(removeLinksOfFiles, { wanted });
  if (wanted.length + readers.length === 0) return;
  await transaction.run(removeReadersOf, { wanted, readers: readers.map((id) => ({ user_id: id })) });
}

/** For an operation that has locked the readers of these files already. */
export async function removeReadersOfFiles(transaction: Transaction, fileIds: readonly FileId[]): Promise<void> {
  const wanted = fileIds.map((id) => ({ file_id: id }));
  if (wanted.length > 0) await transaction.run(removeReadersOf, { wanted, readers: [] });
}

const removeLinksOfFiles = statement<never>(({ isAmong, lockedWhere }) => {
  const areTheirs = lockedWhere('file_links', isAmong('file_links', 'file_id', 'wanted'));
  return sql`delete from file_links where ${areTheirs}`;
});

/** One statement for both: two users who read files of each other and go at the same time must not wait for each other. */
const removeReadersOf = statement<never>(({ dialect, isAmong }) => {
  const areGone = sql`(${isAmong('file_readers', 'file_id', 'wanted')} or ${isAmong('file_readers', 'user_id', 'readers')})`;
  if (dialect === 'sqlite') return sql`delete from file_readers where ${areGone}`;
  return sql`delete from file_readers where file_id = any(array(select file_id from file_readers where ${areGone}
    order by file_id || '', user_id for update)) and ${areGone}`;
});
