// The last use of accounts: read from users and their stored sessions, and recorded with the user before sessions are removed.

import { isRecordDue, recordedUse, type UseRecord, useToRecord } from '../../../../auth/sessions/last-use.ts';
import type { UserId } from '../../../../kernel/ids.ts';
import { listBy, update } from '../../../engine/rows.ts';
import type { Row } from '../../../engine/schema.ts';
import { sql } from '../../../engine/sql.ts';
import { statement } from '../../../engine/statement.ts';
import type { Transaction } from '../../../engine/transaction.ts';

export function toUseRecord({ seen_at, created_at }: Row<'users'>): UseRecord {
  return { seenAt: seen_at ?? undefined, createdAt: created_at };
}

/** The row after a sign-in. The same row if its record is recent enough. */
export function withSignIn(row: Row<'users'>, now: number): Row<'users'> {
  return isRecordDue(toUseRecord(row), now) ? { ...row, seen_at: now } : row;
}

/** By user id. The sessions are read without a lock: one that is refreshed at the same time may count or not. */
export async function findLastUses(
  transaction: Transaction,
  users: readonly Row<'users'>[],
): Promise<Map<string, number>> {
  const uses = new Map(users.map((user) => [user.id, recordedUse(toUseRecord(user))]));
  if (users.length === 0) return uses;
  const wanted = [...uses.keys()].map((id) => ({ user_id: id }));
  for (const { user_id, last_used_at } of await transaction.all(usesOfSessions, { wanted }))
    uses.set(user_id, Math.max(last_used_at, uses.get(user_id) ?? 0));
  return uses;
}

type Use = Pick<Row<'sessions'>, 'user_id' | 'last_used_at'>;

/** In two parts, each with its own index: live sessions, and sessions that ended and are not yet removed. */
const usesOfSessions = statement<Use>(({ isAmong }) => {
  const isTheirs = isAmong('sessions', 'user_id', 'wanted');
  return sql`select user_id, last_used_at from sessions where ended_at is null and ${isTheirs}
    union all select user_id, last_used_at from sessions where ended_at is not null and ${isTheirs}`;
});

/**
 * Records the last use of sessions that are to be removed. Gives the ids of the sessions that may go: their use is recorded, or their
 * user is gone. It never waits: a session whose user is locked by a request stays until the next round.
 */
export async function recordUses(transaction: Transaction, sessions: readonly (Use & { id: string })[]) {
  const byUser = Map.groupBy(sessions, ({ user_id }) => user_id);
  const lastOf = (id: UserId) => Math.max(...(byUser.get(id) ?? []).map(({ last_used_at }) => last_used_at));
  const isOlder = (row: Row<'users'>) => useToRecord(toUseRecord(row), lastOf(row.id)) !== undefined;
  const older = (await listBy(transaction, 'users', 'id', byUser.keys())).filter(isOlder);
  const locked =
    older.length === 0 ? [] : await transaction.all(lockFreeUsers, { wanted: older.map(({ id }) => ({ id })) });
  const due = locked.flatMap((row) => {
    const use = useToRecord(toUseRecord(row), lastOf(row.id));
    return use === undefined ? [] : [{ ...row, seen_at: use }];
  });
  await update(transaction, 'users', due, ['seen_at']);
  const isBusy = new Set(older.map(({ id }) => id)).difference(new Set(locked.map(({ id }) => id)));
  return sessions.filter(({ user_id }) => !isBusy.has(user_id)).map(({ id }) => id);
}

const lockFreeUsers = statement<Row<'users'>>(
  ({ all, isAmong, lock }) =>
    sql`select ${all('users')} from users where ${isAmong('users', 'id', 'wanted')} order by id ${lock('skip')}`,
);
