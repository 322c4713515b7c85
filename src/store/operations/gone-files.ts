// Removes files for good, together with their links and named readers.
import { remove } from '../engine/rows.ts';
import { sql } from '../engine/sql.ts';
import { statement } from '../engine/statement.ts';
import type { Transaction } from '../engine/transaction.ts';

/** The caller counts the usage of their owners, locks it before, and has the blobs removed after the commit. */
export async function removeFileRows(transaction: Transaction, ids: Iterable<string>): Promise<void> {
  const keys = [...new Set(ids)].map((id) => ({ id }));
  await remove(transaction, 'files', keys);
  await removeSharingRows(
    transaction,
    keys.map(({ id }) => id),
  );
}

/** For an operation that removes the records itself. The files are locked before. `readers`: users who can read no file any more. */
export async function removeSharingRows(
  transaction: Transaction,
  fileIds: readonly string[],
  readers: readonly string[] = [],
): Promise<void> {
  const wanted = fileIds.map((id) => ({ file_id: id }));
  if (wanted.length > 0) await transaction.run(removeLinksOfFiles, { wanted });
  if (wanted.length + readers.length === 0) return;
  await transaction.run(removeReadersOf, { wanted, readers: readers.map((id) => ({ user_id: id })) });
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
