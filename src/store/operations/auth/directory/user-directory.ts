// Users as operators and staff find them, and what they do to one: block, unblock, sign out.

import {
  delayPhoneChange,
  planAct,
  type UserAct,
  type UserQuery,
  type UserRecord,
} from '../../../../auth/directory/user-directory.ts';
import type { SessionEnd } from '../../../../auth/sessions/session.ts';
import type { SessionId } from '../../../../auth/sessions/session-id.ts';
import type { DatedEvent } from '../../../../kernel/audit.ts';
import type { UserId } from '../../../../kernel/ids.ts';
import { listBy, openRows } from '../../../engine/rows.ts';
import type { Row } from '../../../engine/schema.ts';
import { type Sql, sql } from '../../../engine/sql.ts';
import { statement, type Tools } from '../../../engine/statement.ts';
import { operation, reading } from '../../../engine/transaction.ts';
import { writeAudit } from '../../audit.ts';
import { toUserRecord } from '../identity/user-rows.ts';
import { endSessionsOfUsers } from '../identity/users.ts';
import { findLastUses } from '../sessions/last-uses.ts';

export const searchUsers = reading(async (transaction, inputs: readonly UserQuery[]): Promise<UserRecord[][]> => {
  const outputs: UserRecord[][] = [];
  for (const { by, text, most, before = beyondIds } of inputs) {
    const ends = text.length < endDigits ? digits.map((digit) => `${digit}${text}`) : [text.slice(-endDigits)];
    const args = { text, most, before, ends: ends.map((phone) => ({ phone })), end: ends[0] };
    const finder = by === 'phone end' && ends.length > 1 ? finders['short phone end'] : finders[by];
    outputs.push((await transaction.all(finder, args)).map(toUserRecord));
  }
  return outputs;
});

const beyondIds = 'g';
/** The index holds so many last digits. */
const endDigits = 4;
const digits = [...'0123456789'];

export const actOn = operation(
  async (transaction, inputs: readonly UserAct[]): Promise<(readonly SessionId[] | undefined)[]> => {
    const users = await openRows(
      transaction,
      'users',
      'id',
      inputs.map((input) => input.userId),
    );
    // One ending per user: of two inputs for one user the first ends the sessions, the second finds none.
    const endings = new Map<string, { user_id: UserId; ended_at: number; end_reason: SessionEnd }>();
    const plans = inputs.map((input) => {
      const row = users.get(input.userId);
      if (row === undefined) return undefined;
      const before = row.blocked_at ?? undefined;
      const { blockedAt, end, eventsOf } = planAct(before, input);
      const nextPhoneAt = delayPhoneChange(row.next_phone_at ?? undefined, before, input);
      users.put({ ...row, blocked_at: blockedAt ?? null, next_phone_at: nextPhoneAt ?? null });
      const isEnding = end !== undefined && !endings.has(row.id);
      if (isEnding) endings.set(row.id, { user_id: row.id, ended_at: input.now, end_reason: end });
      return { userId: row.id, isEnding, eventsOf };
    });
    await users.save();
    const gone = endings.size === 0 ? [] : await transaction.all(endSessionsOfUsers, { rows: [...endings.values()] });
    const events: DatedEvent[] = [];
    const outputs = plans.map((plan) => {
      if (plan === undefined) return undefined;
      const ended = plan.isEnding ? gone.filter((session) => session.user_id === plan.userId) : [];
      events.push(...plan.eventsOf(ended.length));
      return ended.map(({ id }) => id);
    });
    await writeAudit(transaction, events);
    return outputs;
  },
);

export const findLastUse = reading(async (transaction, ids: readonly UserId[]): Promise<(number | undefined)[]> => {
  const uses = await findLastUses(transaction, await listBy(transaction, 'users', 'id', ids));
  return ids.map((id) => uses.get(id));
});

/** Must equal the expression of the index. */
const phoneEnd = sql`substr(phone, length(phone) - 3)`;
const newestId = sql`id desc`;

const finders = {
  id: finder(({ value }) => sql`id = ${value('text')}`),
  phone: finder(({ value }) => sql`phone = ${value('text')}`),
  email: finder(({ value }) => sql`email_key = ${value('text')}`),
  nothing: finder(() => sql`true`),
  // The text is digits only, so it holds no wildcard.
  'phone end': finder(({ value }) => sql`${phoneEnd} = ${value('end')} and phone like '%' || ${value('text')}`),
  // As an expression, because the plain key could tempt PostgreSQL to read the whole table in its order.
  'short phone end': finder(
    ({ rows }) => sql`${phoneEnd} in (select phone from ${rows('ends', 'users', ['phone'])} as ends)`,
    sql`id || '' desc`,
  ),
} as const satisfies Record<UserQuery['by'] | 'short phone end', unknown>;

/** Ids are in the order of time, so the newest come first. */
function finder(condition: (tools: Tools) => Sql, order = newestId) {
  return statement<Row<'users'>>((tools) => {
    const { all, value } = tools;
    return sql`select ${all('users')} from users where ${condition(tools)} and id < ${value('before')}
      order by ${order} limit ${value('most')}`;
  });
}
