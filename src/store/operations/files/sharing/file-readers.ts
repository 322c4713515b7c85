// The users whom owners name as readers of files.

import { refuseOwner } from '../../../../files/owner-state.ts';
import type { OwnFile, ReadersChange, SharingRefusal } from '../../../../files/sharing/file-link.ts';
import { isOwn, judgeReaders, readersEvent } from '../../../../files/sharing/sharing-rules.ts';
import type { StoredFile } from '../../../../files/stored-file.ts';
import { isVisible } from '../../../../files/trash/trash-rules.ts';
import type { DatedEvent } from '../../../../kernel/audit.ts';
import type { FileId, UserId } from '../../../../kernel/ids.ts';
import { insert, listBy, openRows } from '../../../engine/rows.ts';
import { columnsOf, type Row } from '../../../engine/schema.ts';
import { sql } from '../../../engine/sql.ts';
import { statement } from '../../../engine/statement.ts';
import { lookup, operation, reading } from '../../../engine/transaction.ts';
import { writeAudit } from '../../audit.ts';
import { toFile, toSharedFile } from '../file-rows.ts';
import { openOwners } from '../owners.ts';

type ReaderRow = Row<'file_readers'>;

/** The file is locked first, so that two changes of one file follow each other, and none is left behind by its deletion. */
export const setReaders = operation(
  async (transaction, inputs: readonly ReadersChange[]): Promise<('set' | SharingRefusal)[]> => {
    const ids = [...new Set(inputs.map((input) => input.fileId))];
    const owners = await openOwners(
      transaction,
      inputs.map((input) => input.userId),
    );
    const files = await openRows(transaction, 'files', 'id', ids);
    const stored = await transaction.all(lockReaders, { wanted: ids.map((id) => ({ file_id: id })) });
    const rows = new Map(stored.map((row) => [keyOf(row), row]));
    const events: DatedEvent[] = [];
    const outputs = inputs.map((change) => {
      const { fileId, now } = change;
      const refusal = refuseOwner(owners(change.userId), undefined);
      if (refusal !== undefined) return refusal;
      const file = files.get(fileId);
      const known = [...rows.values()].filter((row) => row.file_id === fileId).map((row) => row.user_id);
      const judged = judgeReaders(file && toSharedFile(file), known, change);
      if (typeof judged === 'string') return judged;
      for (const reader of judged.removed) rows.delete(keyOf({ file_id: fileId, user_id: reader }));
      for (const reader of judged.added) {
        const row = { file_id: fileId, user_id: reader, created_at: now };
        rows.set(keyOf(row), row);
      }
      const event = readersEvent(change, judged);
      if (event !== undefined) events.push(event);
      return 'set';
    });
    const gone = stored.filter((row) => rows.get(keyOf(row)) !== row);
    if (gone.length > 0) await transaction.run(removeReaders, { wanted: gone });
    const before = new Set(stored);
    const added = [...rows.values()].filter((row) => !before.has(row));
    await insert(transaction, 'file_readers', added);
    await writeAudit(transaction, events);
    return outputs;
  },
);

export const listReaders = reading(
  async (transaction, inputs: readonly OwnFile[]): Promise<(UserId[] | undefined)[]> => {
    const ids = inputs.map((input) => input.fileId);
    // The readers first: a file that is deleted in between is then missing, and not there without its readers.
    const [rows, files] = await Promise.all([
      listBy(transaction, 'file_readers', 'file_id', ids),
      openRows(transaction, 'files', 'id', ids),
    ]);
    const byFile = Map.groupBy(rows, (row) => row.file_id);
    return inputs.map((input) => {
      const file = files.get(input.fileId);
      if (!isOwn(file && toSharedFile(file), input)) return undefined;
      return (byFile.get(input.fileId) ?? []).map((row) => row.user_id).sort();
    });
  },
);

type Asked = { readonly id: FileId; readonly userId: UserId; readonly now: number };
type Found = { readonly file: StoredFile; readonly isNamed: boolean };

/** One statement. The readers of a file are looked up by their key, and only if its owner does not ask. A blocked owner shares nothing. */
export const findFor = lookup(async (transaction, inputs: readonly Asked[]): Promise<(Found | undefined)[]> => {
  const wanted = inputs.map(({ id, userId }) => ({ id, user_id: userId }));
  const rows = await transaction.all(filesFor, { wanted });
  const found = new Map(rows.map((row) => [`${row.id} ${row.reader_id}`, row]));
  return inputs.map(({ id, userId, now }) => {
    const row = found.get(`${id} ${userId}`);
    const file = row && toFile(row);
    return file && isVisible(file, now) ? { file, isNamed: row.is_named !== 0 } : undefined;
  });
});

function keyOf({ file_id, user_id }: Pick<ReaderRow, 'file_id' | 'user_id'>): string {
  return `${file_id} ${user_id}`;
}

export const lockReaders = statement<ReaderRow>(({ all, isAmong, lock }) => {
  const areTheirs = isAmong('file_readers', 'file_id', 'wanted');
  return sql`select ${all('file_readers')} from file_readers where ${areTheirs} order by file_id, user_id ${lock()}`;
});

const removeReaders = statement<never>(({ isAmong, rows }) => {
  const areTheirs = isAmong('file_readers', 'file_id', 'wanted');
  const input = rows('wanted', 'file_readers', ['file_id', 'user_id']);
  return sql`delete from file_readers where ${areTheirs} and exists (select 1 from ${input} as input
    where input.file_id = file_readers.file_id and input.user_id = file_readers.user_id)`;
});

const filesFor = statement<Row<'files'> & { reader_id: UserId; is_named: number }>(({ rows, lookUp }) => {
  const input = rows('wanted', 'files', ['id', 'user_id']);
  const columns = columnsOf('files').map((column) => sql.ref(`files.${column}`));
  return sql`select ${sql.join(columns)}, input.user_id as reader_id,
    case when input.user_id <> files.user_id and exists (select 1 from file_readers
      where file_readers.file_id = files.id and file_readers.user_id = input.user_id)
      and exists (select 1 from users where users.id = files.user_id and users.blocked_at is null)
      then 1 else 0 end as is_named
    from ${input} as input join files on files.id = input.id ${lookUp('files', 'id', 'wanted')}`;
});
