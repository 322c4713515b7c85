// Makes room for uploads in their commit: finds the trash that may have to make way, locks it in time, and removes what the rule chose.

import type { Quota } from '../../../../files/quota.ts';
import { type QueuedRemoval, queueFileRemoval } from '../../../../files/sweeps/removal-queue.ts';
import { type Displaceable, displacedEvent, firstOf, type Room } from '../../../../files/uploads/room.ts';
import type { OpenUpload } from '../../../../files/uploads/upload-rules.ts';
import type { DatedEvent } from '../../../../kernel/audit.ts';
import type { FileId, UserId } from '../../../../kernel/ids.ts';
import { openRows, type RowSet, remove } from '../../../engine/rows.ts';
import { sql } from '../../../engine/sql.ts';
import { statement } from '../../../engine/statement.ts';
import type { Transaction } from '../../../engine/transaction.ts';
import { lockLinksOf } from '../sharing/file-links.ts';
import { lockReaders } from '../sharing/file-readers.ts';
import { removeReadersOfFiles } from '../sweeps/gone-files.ts';
import { usageOf } from '../usage-rows.ts';

/**
 * An upload of the batch: how many bytes it may need at most, besides everything that is stored or reserved now; and at least, if that
 * is less.
 */
export type SpaceWish = {
  readonly userId: UserId;
  readonly bytes: number;
  readonly leastBytes?: number;
  readonly quota: Quota;
};

/** More files must make way than one commit removes. It has removed the first ones, and the caller asks again. */
export type Crowded = { readonly kind: 'crowded' };
export const crowded: Crowded = { kind: 'crowded' };

/** Each has records, links, readers and an event, and all other commits of SQLite wait meanwhile. */
const mostPerCommit = 200;

type Space = { readonly usage: RowSet<'file_usage'>; readonly open: ReadonlyMap<string, readonly OpenUpload[]> };

/**
 * The usage is locked before, which holds the trash of its user as it is. Locks the files, with the ones that the operation needs
 * besides, and what hangs on them. So uploads are locked after it.
 */
export async function openRoom(
  transaction: Transaction,
  space: Space,
  wishes: readonly SpaceWish[],
  otherFileIds: readonly (string | undefined)[] = [],
) {
  const trash = await findTrash(transaction, space, wishes);
  // The oldest of each user come first, so what may go now is the beginning of what must.
  const ids = [...trash.values()].flatMap((files) => files.map(({ id }) => id)).slice(0, mostPerCommit);
  const free = new Set<string>(ids);
  const files = await openRows(transaction, 'files', 'id', [...otherFileIds, ...ids]);
  const wanted = ids.map((id) => ({ file_id: id }));
  const links = ids.length === 0 ? [] : await transaction.all(lockLinksOf, { wanted });
  if (ids.length > 0) await transaction.all(lockReaders, { wanted });
  const gone = new Set<FileId>();
  const events: DatedEvent[] = [];
  return {
    files,
    events,
    trashOf: (userId: UserId): readonly Displaceable[] => trash.get(userId) ?? [],
    /** Once for each room that the rule found. The caller saves the usage that it gives, and is crowded if the room is not whole. */
    make: (wanted: Room, now: number): Room & { readonly isWhole: boolean } => {
      const made = firstOf(wanted, ({ id }) => free.has(id));
      for (const file of made.removed) {
        gone.add(file.id);
        events.push(displacedEvent(file, now));
      }
      const [first] = made.removed;
      if (first !== undefined) trash.set(first.userId, (trash.get(first.userId) ?? []).slice(made.removed.length));
      return { ...made, isWhole: made.removed.length === wanted.removed.length };
    },
    /** Gives the bytes to be queued for removal, after all other tables of files. They are left to workers. */
    save: async (): Promise<QueuedRemoval[]> => {
      const removed = [...gone];
      await remove(
        transaction,
        'files',
        removed.map((id) => ({ id })),
      );
      const theirs = links.filter((link) => gone.has(link.file_id));
      await remove(
        transaction,
        'file_links',
        theirs.map(({ id }) => ({ id })),
      );
      await removeReadersOfFiles(transaction, removed);
      return removed.map((id) => queueFileRemoval({ id, type: files.get(id)?.type ?? '' }, undefined));
    },
  };
}

/** For users whose uploads do not all fit: as much of their trash, oldest first, as all of these together may need. */
async function findTrash(
  transaction: Transaction,
  { usage, open }: Space,
  wishes: readonly SpaceWish[],
): Promise<Map<string, readonly Displaceable[]>> {
  const found = new Map<string, readonly Displaceable[]>();
  for (const [userId, own] of Map.groupBy(wishes, (wish) => wish.userId)) {
    const used = usageOf(usage, userId);
    const reserved = open.get(userId) ?? [];
    const taken = {
      bytes: used.bytes + reserved.reduce((sum, { bytes }) => sum + bytes, 0),
      files: used.files + reserved.length,
    };
    const need = {
      bytes:
        Math.max(...own.map(({ quota }) => taken.bytes - quota.bytes)) + own.reduce((sum, { bytes }) => sum + bytes, 0),
      files: Math.max(...own.map(({ quota }) => taken.files - quota.files)) + own.length,
    };
    if (need.bytes <= 0 && need.files <= 0) continue;
    const rows = await transaction.all(oldestTrashOf, { userId, bytes: need.bytes, files: need.files });
    const freed = rows.reduce((sum, { size }) => sum + size, 0);
    const isEnough = ({ bytes, leastBytes = bytes, quota }: SpaceWish) =>
      used.bytes - freed + leastBytes <= quota.bytes && used.files - rows.length < quota.files;
    // Nothing is locked for uploads that do not fit anyway, which a user may try again and again.
    if (own.some(isEnough))
      found.set(
        userId,
        rows.map(({ id, size }) => ({ id, userId, size })),
      );
  }
  return found;
}

const oldestTrashOf = statement<{ id: FileId; size: number }>(
  ({ value }) => sql`select id, size from (select id, size, deleted_at,
      sum(size) over (order by deleted_at, id) - size as bytes_before, row_number() over (order by deleted_at, id) - 1 as files_before
      from files where user_id = ${value('userId')} and deleted_at is not null) as trash
    where bytes_before < ${value('bytes')} or files_before < ${value('files')} order by deleted_at, id`,
);
