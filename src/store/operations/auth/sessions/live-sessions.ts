// The live sessions of some users, locked: which ones an act ends, which ones it starts, and the statements that save both.

import { readScopes } from '../../../../apps/clients/app.ts';
import type { Ending, SessionEnd } from '../../../../auth/sessions/session.ts';
import type { SessionId } from '../../../../auth/sessions/session-id.ts';
import { chooseEnded, type Endable } from '../../../../auth/sessions/session-rules.ts';
import type { UserId } from '../../../../kernel/ids.ts';
import { insert } from '../../../engine/rows.ts';
import type { Row } from '../../../engine/schema.ts';
import type { Transaction } from '../../../engine/transaction.ts';
import { endSessionsById, lockLiveSessions } from './session-rows.ts';

export type LiveSessions = {
  /** Those of the user that have not ended, with those that were started here. */
  of(userId: UserId): Row<'sessions'>[];
  /** Undefined if the session has ended, or is not of this user. */
  find(userId: UserId, sessionId: SessionId): Row<'sessions'> | undefined;
  /** Gives the ids of those that were alive. */
  end(ending: Ending): SessionId[];
  /** Ends one that has not ended. */
  endOne(sessionId: SessionId, reason: SessionEnd, now: number): void;
  start(row: Row<'sessions'>): void;
  save(): Promise<void>;
};

export async function openLiveSessions(transaction: Transaction, userIds: Iterable<string>): Promise<LiveSessions> {
  const wanted = [...new Set(userIds)].map((userId) => ({ user_id: userId }));
  const unended = wanted.length === 0 ? [] : await transaction.all(lockLiveSessions, { wanted });
  const byUser = Map.groupBy(unended, (row) => row.user_id);
  const gone = new Map<SessionId, { id: SessionId; ended_at: number; end_reason: SessionEnd }>();
  const added: Row<'sessions'>[] = [];
  const of = (userId: UserId) => (byUser.get(userId) ?? []).filter((row) => !gone.has(row.id));
  return {
    of,
    find: (userId, sessionId) => of(userId).find((row) => row.id === sessionId),
    end: (ending) => {
      const ended = chooseEnded(of(ending.userId).map(toEndable), ending);
      for (const { id, reason } of ended) gone.set(id, { id, ended_at: ending.now, end_reason: reason });
      return ended.filter(({ wasAlive }) => wasAlive).map(({ id }) => id);
    },
    endOne: (id, reason, now) => {
      gone.set(id, { id, ended_at: now, end_reason: reason });
    },
    start: (row) => {
      added.push(row);
      byUser.set(row.user_id, [...(byUser.get(row.user_id) ?? []), row]);
    },
    // Added first: a session that was started here may be among the ended, and every node must learn of its end.
    save: async () => {
      await insert(transaction, 'sessions', added);
      if (gone.size > 0) await transaction.run(endSessionsById, { rows: [...gone.values()] });
    },
  };
}

export function toEndable(row: Row<'sessions'>): Endable {
  const { id, parent_id: parentId, app_scopes: scopes } = row;
  const times = { id, expiresAt: row.expires_at, endsAt: row.ends_at };
  return parentId === null ? times : { ...times, origin: { parentId, scopes: readScopes(scopes ?? '') } };
}
