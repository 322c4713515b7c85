// The claims that the access tokens of a session carry: those of its user.
import type { SessionId } from '../../../../auth/sessions/session-id.ts';
import { sql } from '../../../engine/sql.ts';
import { statement } from '../../../engine/statement.ts';
import type { Transaction } from '../../../engine/transaction.ts';

/** The claims of the users of these sessions, by the id of the session. Read beside the sessions, in the same round trip. */
export async function findClaims(
  transaction: Transaction,
  sessionIds: readonly SessionId[],
): Promise<ReadonlyMap<SessionId, string | null>> {
  const wanted = [...new Set(sessionIds)].map((id) => ({ id }));
  const rows = await transaction.all(claimsOfSessions, { wanted });
  return new Map(rows.map(({ id, claims }) => [id, claims]));
}

const claimsOfSessions = statement<{ id: SessionId; claims: string | null }>(({ isAmong }) => {
  const claims = sql`(select users.claims from users where users.id = sessions.user_id)`;
  return sql`select id, ${claims} as claims from sessions where ${isAmong('sessions', 'id', 'wanted')}`;
});
