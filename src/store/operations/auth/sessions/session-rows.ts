// Starts sessions inside a sign-in: adds the new rows, and ends the least recently used ones that must go.

import type { SessionDraft, SessionEnd } from '../../../../auth/sessions/session.ts';
import type { SessionId } from '../../../../auth/sessions/session-id.ts';
import { chooseEvicted, evictedEvent, startSessionAt } from '../../../../auth/sessions/session-rules.ts';
import type { DatedEvent } from '../../../../kernel/audit.ts';
import type { UserId } from '../../../../kernel/ids.ts';
import { insert } from '../../../engine/rows.ts';
import type { Row } from '../../../engine/schema.ts';
import { sql } from '../../../engine/sql.ts';
import { type Statement, statement } from '../../../engine/statement.ts';
import type { Transaction } from '../../../engine/transaction.ts';
import { writeAudit } from '../../audit.ts';

/** `isOfNewUser`: the same transaction adds the user, who therefore has no session that could be read. */
export type NewSession = { readonly userId: UserId; readonly draft: SessionDraft; readonly isOfNewUser?: boolean };

type LiveRow = Pick<Row<'sessions'>, 'id' | 'user_id' | 'last_used_at' | 'app_id'>;

type LiveSession = { readonly id: SessionId; readonly lastUsedAt: number };

/** The caller must have locked the users' rows, so that two sign-ins of one user count each other. Gives the evicted ids, in order. */
export async function startSessions(
  transaction: Transaction,
  newSessions: readonly NewSession[],
): Promise<SessionId[][]> {
  if (newSessions.length === 0) return [];
  const live = await findLive(transaction, newSessions);
  const ended: { id: SessionId; ended_at: number; end_reason: SessionEnd }[] = [];
  const events: DatedEvent[] = [];
  const evicted = newSessions.map(({ userId, draft }) => {
    const mine = live.get(userId) ?? [];
    const gone = chooseEvicted(mine, draft.policy.perUser);
    for (const session of gone) {
      mine.splice(mine.indexOf(session), 1);
      ended.push({ id: session.id, ended_at: draft.now, end_reason: 'evicted' });
      events.push(evictedEvent(userId, session.id, draft));
    }
    mine.push({ id: draft.id, lastUsedAt: draft.now });
    return gone.map(({ id }) => id);
  });
  const added = newSessions.map(({ userId, draft }) => newSession(userId, draft));
  // Added first: a session of this very batch may be among the evicted, and every node must learn of its end.
  await Promise.all([
    insert(transaction, 'sessions', added),
    ended.length > 0 ? transaction.run(endSessionsById, { rows: ended }) : undefined,
    writeAudit(transaction, events),
  ]);
  return evicted;
}

/** The live sessions of each user. Those of a user with too many are locked: one that another act ends now is not evicted too. */
async function findLive(
  transaction: Transaction,
  newSessions: readonly NewSession[],
): Promise<Map<string, LiveSession[]>> {
  const byUser = Map.groupBy(newSessions, ({ userId }) => userId);
  const live = new Map<string, LiveSession[]>([...byUser.keys()].map((userId) => [userId, []]));
  const read = async (statement: Statement<LiveRow>, userIds: readonly UserId[]) => {
    if (userIds.length === 0) return;
    for (const userId of userIds) live.set(userId, []);
    const rows = await transaction.all(statement, { wanted: userIds.map((userId) => ({ user_id: userId })) });
    // The sessions of apps are counted for each app, when one of them starts.
    for (const row of rows)
      if (row.app_id === null) live.get(row.user_id)?.push({ id: row.id, lastUsedAt: row.last_used_at });
  };
  const isKnown = ([, added]: [string, NewSession[]]) => added.every(({ isOfNewUser }) => isOfNewUser !== true);
  await read(
    liveSessions,
    [...byUser].filter(isKnown).map(([userId]) => userId),
  );
  const isFull = ([userId, added]: [string, NewSession[]]) =>
    (live.get(userId)?.length ?? 0) + added.length > Math.min(...added.map(({ draft }) => draft.policy.perUser));
  await read(
    lockLiveSessions,
    [...byUser].filter(isFull).map(([userId]) => userId),
  );
  return live;
}

/** Ends sessions that are alive. A session that has ended stays as it ended. */
export const endSessionsById = statement<never>(({ isAmong, lockedWhere, lookUp, rows }) => {
  const input = rows('rows', 'sessions', ['id', 'ended_at', 'end_reason']);
  // Not “is null”: that would let PostgreSQL read all live sessions by their index instead of these few by their key.
  const isAlive = sql`${isAmong('sessions', 'id', 'rows')} and coalesce(sessions.ended_at, 0) = 0`;
  return sql`update sessions set ended_at = input.ended_at, end_reason = input.end_reason
    from ${input} as input where sessions.id = input.id ${lookUp('sessions', 'id', 'rows')}
    and ${lockedWhere('sessions', isAlive)}`;
});

const liveSessions = statement<LiveRow>(({ isAmong }) => {
  const isWanted = isAmong('sessions', 'user_id', 'wanted');
  return sql`select id, user_id, last_used_at, app_id from sessions where ended_at is null and ${isWanted}`;
});

/** Of two nodes that end the same sessions, one finds them. Locked in the order of the key, as everywhere. */
export const lockLiveSessions = statement<Row<'sessions'>>(({ all, isAmong, lock }) => {
  const isWanted = isAmong('sessions', 'user_id', 'wanted');
  return sql`select ${all('sessions')} from sessions where ended_at is null and ${isWanted} order by id || '' ${lock()}`;
});

/** What a session of an app takes from the session that gave the code. */
type AppOrigin = Pick<Row<'sessions'>, 'app_id' | 'app_scopes' | 'parent_id' | 'proof' | 'proved_at'>;

export function newSession(userId: UserId, draft: Omit<SessionDraft, 'ip'>, origin?: AppOrigin): Row<'sessions'> {
  const { policy, now } = draft;
  const { expiresAt, endsAt } = startSessionAt(policy, now);
  return {
    id: draft.id,
    user_id: userId,
    seed_hash: draft.seedHash,
    counter: 0,
    rotated_at: now,
    created_at: now,
    last_used_at: now,
    expires_at: expiresAt,
    ends_at: endsAt,
    ended_at: null,
    end_reason: null,
    user_agent: draft.userAgent ?? null,
    method: draft.method,
    rotated_by: null,
    proved_at: now,
    proof: draft.method,
    app_id: null,
    app_scopes: null,
    parent_id: null,
    late_repeats: null,
    ...origin,
  };
}
