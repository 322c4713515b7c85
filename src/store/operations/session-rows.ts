// Beginning sessions inside a sign-in: the new row, and the least recently used ones that must go.

import type { SessionDraft, SessionEnd } from '../../auth/session.ts';
import { insert } from '../engine/rows.ts';
import type { Row } from '../engine/schema.ts';
import { sql } from '../engine/sql.ts';
import { statement } from '../engine/statement.ts';
import type { Transaction } from '../engine/transaction.ts';
import { type DatedEvent, writeAudit } from './audit.ts';

export type NewSession = { readonly userId: string; readonly draft: SessionDraft };

type LiveSession = { id: string; user_id: string; last_used_at: number };

/** The users' rows must be locked by the caller, so that two sign-ins of one user count each other. Gives the evicted ids, in order. */
export async function beginSessions(transaction: Transaction, beginnings: readonly NewSession[]): Promise<string[][]> {
  if (beginnings.length === 0) return [];
  const live = await transaction.all(liveSessions, {
    wanted: distinct(beginnings.map(({ userId }) => ({ user_id: userId }))),
  });
  const begun: Row<'sessions'>[] = [];
  const events: DatedEvent[] = [];
  const evicted = beginnings.map(({ userId, draft }) => {
    const mine = [...live, ...begun].filter((session) => session.user_id === userId);
    const tooMany = mine
      .sort((a, b) => a.last_used_at - b.last_used_at)
      .slice(0, Math.max(0, mine.length - draft.policy.perUser + 1));
    for (const gone of tooMany) {
      forget(live, gone);
      forget(begun, gone);
      events.push({ kind: 'session.evicted', userId, detail: { session: gone.id }, now: draft.now });
    }
    begun.push(newSession(userId, draft));
    return tooMany.map((session) => session.id);
  });
  const gone = beginnings.flatMap(({ draft }, index) =>
    (evicted[index] ?? []).map((id) => ({ id, ended_at: draft.now, end_reason: 'evicted' satisfies SessionEnd })),
  );
  await Promise.all([
    insert(transaction, 'sessions', begun),
    gone.length > 0 ? transaction.run(endSessionsById, { rows: gone }) : undefined,
    writeAudit(transaction, events),
  ]);
  return evicted;
}

/** Ends sessions that are alive; a session that has ended stays as it ended. */
export const endSessionsById = statement<never>(({ isAmong, lockedWhere, rows }) => {
  const input = rows('rows', 'sessions', ['id', 'ended_at', 'end_reason']);
  // Not “is null”: that would let PostgreSQL read all live sessions by their index instead of these few by their key.
  const isAlive = sql`${isAmong('sessions', 'id', 'rows')} and coalesce(sessions.ended_at, 0) = 0`;
  return sql`update sessions set ended_at = input.ended_at, end_reason = input.end_reason
    from ${input} as input where sessions.id = input.id and ${lockedWhere('sessions', isAlive)}`;
});

const liveSessions = statement<LiveSession>(({ isAmong }) => {
  const isWanted = isAmong('sessions', 'user_id', 'wanted');
  return sql`select id, user_id, last_used_at from sessions where ended_at is null and ${isWanted}`;
});

function newSession(userId: string, draft: SessionDraft): Row<'sessions'> {
  const { policy, now } = draft;
  return {
    id: draft.id,
    user_id: userId,
    seed_hash: draft.seedHash,
    counter: 0,
    rotated_at: now,
    created_at: now,
    last_used_at: now,
    expires_at: now + policy.idleSeconds * 1000,
    ends_at: now + policy.lifeSeconds * 1000,
    ended_at: null,
    end_reason: null,
    user_agent: draft.userAgent ?? null,
    method: draft.method,
    rotated_by: null,
  };
}

function forget(sessions: { id: string }[], gone: { id: string }): void {
  const index = sessions.findIndex((session) => session.id === gone.id);
  if (index >= 0) sessions.splice(index, 1);
}

function distinct(rows: { user_id: string }[]): { user_id: string }[] {
  return [...new Map(rows.map((row) => [row.user_id, row])).values()];
}
