// Users as the back end of an app reads and changes them, and the session of a token that it checks.

import type { BackendUser } from '../../../auth/directory/user-directory.ts';
import type { SessionId } from '../../../auth/sessions/session-id.ts';
import { isAlive } from '../../../auth/sessions/session-rules.ts';
import type { CheckedSession, UserDataOutcome, UserKey } from '../../../backend/backend-user.ts';
import { planUserData, type UserDataChange } from '../../../backend/user-data.ts';
import type { DatedEvent } from '../../../kernel/audit.ts';
import type { UserId } from '../../../kernel/ids.ts';
import { listBy } from '../../engine/rows.ts';
import type { Row } from '../../engine/schema.ts';
import { sql } from '../../engine/sql.ts';
import { statement } from '../../engine/statement.ts';
import { lookup, operation, reading, type Transaction } from '../../engine/transaction.ts';
import { writeAudit } from '../audit.ts';
import { openOwned } from '../auth/identity/owned-values.ts';
import { toBackendUser, toUserData, userDataColumns } from '../auth/identity/user-rows.ts';
import { findLastUses } from '../auth/sessions/last-uses.ts';
import { readJson } from '../stored-json.ts';

const columns = {
  id: 'id',
  phone: 'phone',
  email: 'email_key',
  'external id': 'external_id',
} as const satisfies Record<UserKey['by'], keyof Row<'users'>>;

export const find = reading(async (transaction, inputs: readonly UserKey[]): Promise<(BackendUser | undefined)[]> => {
  const byColumn = Map.groupBy(inputs, ({ by }) => columns[by]);
  const found = await Promise.all(
    [...byColumn].map(async ([column, keys]) => {
      const texts = keys.map(({ text }) => text);
      const rows = await listBy(transaction, 'users', column, texts);
      return rows.map((row) => [`${column} ${row[column]}`, row] as const);
    }),
  );
  const rows = new Map(found.flat());
  const uses = await findLastUses(transaction, [...rows.values()]);
  return inputs.map(({ by, text }) => {
    const row = rows.get(`${columns[by]} ${text}`);
    return row && toBackendUser(row, uses);
  });
});

export const list = reading(
  async (transaction, inputs: readonly { after: string | undefined; most: number }[]): Promise<BackendUser[][]> => {
    const outputs: BackendUser[][] = [];
    for (const { after = '', most } of inputs)
      outputs.push(await toBackendUsers(transaction, await transaction.all(nextUsers, { after, most })));
    return outputs;
  },
);

/** In the order of their ids. */
export const nextUsers = statement<Row<'users'>>(
  ({ all, value }) =>
    sql`select ${all('users')} from users where id > ${value('after')} order by id limit ${value('most')}`,
);

export const change = operation(async (transaction, inputs: readonly UserDataChange[]): Promise<UserDataOutcome[]> => {
  const users = await openOwned(
    transaction,
    'external_id',
    inputs.map(({ userId, patch }) => ({ userId, value: patch.externalId ?? null })),
  );
  const events: DatedEvent[] = [];
  const rows = inputs.map((input) => {
    const row = users.get(input.userId);
    if (row === undefined) return 'unknown';
    const plan = planUserData(toUserData(row), users.ownerOf(input.patch.externalId ?? null), input);
    if (plan.kind === 'taken') return 'taken';
    if (plan.event === undefined) return row;
    events.push(plan.event);
    const changed = { ...row, ...userDataColumns(plan.data) };
    users.put(changed);
    return changed;
  });
  await users.save();
  await writeAudit(transaction, events);
  const changed = rows.filter((row) => typeof row === 'object');
  const uses = await findLastUses(transaction, changed);
  return rows.map((row): UserDataOutcome => {
    if (typeof row !== 'object') return { kind: row };
    return { kind: 'changed', user: toBackendUser(row, uses) };
  });
});

export const checkSession = lookup(
  async (
    transaction,
    inputs: readonly { userId: UserId; sessionId: SessionId; now: number }[],
  ): Promise<(CheckedSession | undefined)[]> => {
    const wanted = inputs.map(({ sessionId }) => ({ id: sessionId }));
    const rows = new Map((await transaction.all(sessionsWithUsers, { wanted })).map((row) => [row.id, row]));
    return inputs.map(({ userId, sessionId, now }) => {
      const row = rows.get(sessionId);
      const isLive = row?.user_id === userId && row.ended_at === null && isAlive({ expiresAt: row.expires_at }, now);
      return isLive && row.standing === 'free' ? { claims: readJson(row.claims) } : undefined;
    });
  },
);

type SessionWithUser = Pick<Row<'sessions'>, 'id' | 'user_id' | 'ended_at' | 'expires_at'> &
  Pick<Row<'users'>, 'claims'> & { readonly standing: 'free' | 'blocked' | null };

/** As subqueries, because PostgreSQL then looks each user up by the key. `standing`: null if the user is gone. */
export const sessionsWithUsers = statement<SessionWithUser>(({ isAmong }) => {
  const owner = sql`from users where users.id = sessions.user_id`;
  const standing = sql`case when users.blocked_at is null then 'free' else 'blocked' end`;
  return sql`select id, user_id, ended_at, expires_at, (select users.claims ${owner}) as claims,
    (select ${standing} ${owner}) as standing from sessions where ${isAmong('sessions', 'id', 'wanted')}`;
});

async function toBackendUsers(transaction: Transaction, rows: readonly Row<'users'>[]): Promise<BackendUser[]> {
  const uses = await findLastUses(transaction, rows);
  return rows.map((row) => toBackendUser(row, uses));
}
