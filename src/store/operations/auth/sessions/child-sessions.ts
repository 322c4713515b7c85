// A reused refresh token ends its session and the sessions of apps that come from it. This finds and ends those.

import type { RotationOutcome, SessionEnd } from '../../../../auth/sessions/session.ts';
import type { SessionId } from '../../../../auth/sessions/session-id.ts';
import type { RowSet } from '../../../engine/rows.ts';
import type { Row } from '../../../engine/schema.ts';
import { sql } from '../../../engine/sql.ts';
import { statement } from '../../../engine/statement.ts';
import type { Transaction } from '../../../engine/transaction.ts';

const reason: SessionEnd = 'reused';

export type ReusedSessions = ReturnType<typeof collectReused>;

/** `ids`: the sessions that are open. A later input of the batch finds an open one ended; the others are ended at the end. */
export function collectReused(ids: readonly SessionId[], sessions: RowSet<'sessions'>) {
  const rows = new Map<string, Pick<Row<'sessions'>, 'user_id' | 'parent_id' | 'ended_at' | 'end_reason'>>();
  const ended = new Map<string, SessionId[]>();
  return {
    add: (parent: Row<'sessions'>, now: number): void => {
      // A session of an app has no others that come from it.
      if (parent.app_id !== null) return;
      rows.set(parent.id, { user_id: parent.user_id, parent_id: parent.id, ended_at: now, end_reason: reason });
      const open = [...new Set(ids)].flatMap((id) => sessions.get(id) ?? []);
      const children = open.filter(
        (row) => row.parent_id === parent.id && row.user_id === parent.user_id && row.ended_at === null,
      );
      for (const child of children) sessions.put({ ...child, ended_at: now, end_reason: reason });
      ended.set(
        parent.id,
        children.map(({ id }) => id),
      );
    },
    /** Call it after the open sessions are saved. Adds to each outcome which sessions ended with its own. */
    save: async <Outcome extends { readonly kind: string }>(
      transaction: Transaction,
      outcomes: readonly Outcome[],
      sessionIdAt: (index: number) => SessionId | undefined,
    ): Promise<(Outcome | Extract<RotationOutcome, { kind: 'reused' }>)[]> => {
      if (rows.size === 0) return [...outcomes];
      for (const { id, parent_id } of await transaction.all(endChildren, { rows: [...rows.values()] }))
        ended.get(parent_id)?.push(id);
      return outcomes.map((outcome, index) => {
        const ids = ended.get(sessionIdAt(index) ?? '') ?? [];
        return outcome.kind === 'reused' && ids.length > 0 ? { kind: 'reused', ended: ids.sort() } : outcome;
      });
    },
  };
}

/** By the user, whose live sessions are few and have an index. */
const endChildren = statement<{ id: SessionId; parent_id: SessionId }>(({ rows, isAmong, lockedWhere, lookUp }) => {
  const input = rows('rows', 'sessions', ['user_id', 'parent_id', 'ended_at', 'end_reason']);
  const isOfUser = isAmong('sessions', 'user_id', 'rows');
  const isChild = sql`sessions.ended_at is null and ${isOfUser} and ${isAmong('sessions', 'parent_id', 'rows')}`;
  return sql`update sessions set ended_at = input.ended_at, end_reason = input.end_reason
    from ${input} as input where sessions.user_id = input.user_id and sessions.parent_id = input.parent_id
    ${lookUp('sessions', 'user_id', 'rows')} and ${lockedWhere('sessions', isChild)}
    returning sessions.id, sessions.parent_id`;
});
