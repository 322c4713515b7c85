// Users: finds one, and deletes one together with everything that could still sign them in.

import { deletionEnd, type User, type UserDeletion, userDeletedEvent } from '../../../../auth/identity/user.ts';
import type { SessionId } from '../../../../auth/sessions/session-id.ts';
import { queueFileRemoval, queueRemoval } from '../../../../files/sweeps/removal-queue.ts';
import type { FileId, UploadId, UserId } from '../../../../kernel/ids.ts';
import { openRows, remove } from '../../../engine/rows.ts';
import { sql } from '../../../engine/sql.ts';
import { statement } from '../../../engine/statement.ts';
import { lookup, operation, type Transaction } from '../../../engine/transaction.ts';
import { writeAudit } from '../../audit.ts';
import { removeParts } from '../../files/resumable/resumable-rows.ts';
import { removeSharingRows } from '../../files/sweeps/gone-files.ts';
import { queueRemovals } from '../../files/sweeps/removals.ts';
import { toUser } from './user-rows.ts';

export const findUser = lookup(async (transaction, ids: readonly UserId[]): Promise<(User | undefined)[]> => {
  const users = await openRows(transaction, 'users', 'id', ids);
  return ids.map((id) => {
    const row = users.get(id);
    return row && toUser(row);
  });
});

export const deleteUser = operation(async (transaction, inputs: readonly UserDeletion[]) => {
  const users = await openRows(
    transaction,
    'users',
    'id',
    inputs.map((input) => input.userId),
  );
  // Of two inputs for one user, the first deletes and the second finds no user.
  const firsts = new Map(inputs.toReversed().map((input) => [input.userId, input]));
  const known = [...firsts.values()].filter((input) => users.get(input.userId) !== undefined);
  const rows = known.map(({ userId, now }) => ({ user_id: userId, ended_at: now, end_reason: deletionEnd }));
  const wanted = known.map((input) => ({ user_id: input.userId }));
  await remove(
    transaction,
    'users',
    known.map((input) => ({ id: input.userId })),
  );
  if (known.length > 0) {
    await transaction.run(removeNoticeLinksOf, { wanted });
    await transaction.run(removeLinksOf, { wanted });
    await transaction.run(removeCodesOf, { wanted });
    await transaction.run(removeConsentsOf, { wanted });
  }
  const ended = known.length === 0 ? [] : await transaction.all(endSessionsOfUsers, { rows });
  // Locked before the files are removed: this waits for an upload that is being settled, so its file goes too.
  await openRows(
    transaction,
    'file_usage',
    'user_id',
    known.map((input) => input.userId),
  );
  const files = known.length === 0 ? [] : await transaction.all(removeFilesOf, { wanted });
  await removeSharingRows(
    transaction,
    files.map(({ id }) => id),
    known.map((input) => input.userId),
  );
  const uploads = known.length === 0 ? [] : await removeUploads(transaction, wanted);
  const deletedAt = (row: { user_id: UserId }) => firsts.get(row.user_id)?.now;
  await queueRemovals(transaction, [
    ...files.map((file) => queueFileRemoval(file, deletedAt(file))),
    ...uploads.map((upload) => queueRemoval(upload.id, deletedAt(upload))),
  ]);
  await remove(transaction, 'file_usage', wanted);
  await writeAudit(transaction, known.map(userDeletedEvent));
  const idsOf = <Id extends string>(rows: readonly { id: Id; user_id: UserId }[], input: { userId: UserId }) =>
    rows.filter((row) => row.user_id === input.userId && firsts.get(row.user_id) === input).map((row) => row.id);
  return inputs.map((input) => ({
    sessionIds: idsOf(ended, input),
    fileIds: idsOf(files, input),
    uploadIds: idsOf(uploads, input),
  }));
});

/** Gives the uploads in several requests: they may have stored bytes. */
async function removeUploads(transaction: Transaction, wanted: readonly { readonly user_id: UserId }[]) {
  await transaction.run(removeReservationsOf, { wanted });
  const uploads = await transaction.all(removeResumablesOf, { wanted });
  await removeParts(
    transaction,
    uploads.map(({ id }) => id),
  );
  return uploads;
}

/** Ends every session of these users that has not ended. */
export const endSessionsOfUsers = statement<{ id: SessionId; user_id: UserId }>(
  ({ rows, isAmong, lockedWhere, lookUp }) => {
    const input = rows('rows', 'sessions', ['user_id', 'ended_at', 'end_reason']);
    const isTheirs = sql`sessions.ended_at is null and ${isAmong('sessions', 'user_id', 'rows')}`;
    return sql`update sessions set ended_at = input.ended_at, end_reason = input.end_reason
    from ${input} as input where sessions.user_id = input.user_id
    ${lookUp('sessions', 'user_id', 'rows')} and ${lockedWhere('sessions', isTheirs)}
    returning sessions.id, sessions.user_id`;
  },
);

const removeFilesOf = statement<{ id: FileId; user_id: UserId; type: string }>(({ isAmong, lockedWhere }) => {
  const isTheirs = lockedWhere('files', isAmong('files', 'user_id', 'wanted'));
  return sql`delete from files where ${isTheirs} returning id, user_id, type`;
});

const removeReservationsOf = statement<never>(({ isAmong, lockedWhere }) => {
  const areTheirs = lockedWhere('uploads', isAmong('uploads', 'user_id', 'wanted'));
  return sql`delete from uploads where ${areTheirs}`;
});

const removeResumablesOf = statement<{ id: UploadId; user_id: UserId }>(({ isAmong, lockedWhere }) => {
  const areTheirs = lockedWhere('resumables', isAmong('resumables', 'user_id', 'wanted'));
  return sql`delete from resumables where ${areTheirs} returning id, user_id`;
});

const removeNoticeLinksOf = statement<never>(({ isAmong, lockedWhere }) => {
  const isTheirs = lockedWhere('notice_links', isAmong('notice_links', 'user_id', 'wanted'));
  return sql`delete from notice_links where ${isTheirs}`;
});

const removeLinksOf = statement<never>(({ isAmong, lockedWhere }) => {
  const isTheirs = lockedWhere('login_links', isAmong('login_links', 'user_id', 'wanted'));
  return sql`delete from login_links where ${isTheirs}`;
});

const removeCodesOf = statement<never>(({ isAmong, lockedWhere }) => {
  const isTheirs = lockedWhere('app_codes', isAmong('app_codes', 'user_id', 'wanted'));
  return sql`delete from app_codes where ${isTheirs}`;
});

const removeConsentsOf = statement<never>(({ isAmong, lockedWhere }) => {
  const isTheirs = lockedWhere('app_consents', isAmong('app_consents', 'user_id', 'wanted'));
  return sql`delete from app_consents where ${isTheirs}`;
});
