// Sessions after sign-in: rotation, listing, ending, and the feed of ended ones that every node follows.
import {
  cleanUserAgent,
  type Ending,
  type Rotation,
  type RotationOutcome,
  type RotationState,
  readRotatedBy,
  type Session,
  type SessionEnd,
  sessionEnds,
  signInMethods,
} from '../../auth/session.ts';
import { chooseEnded, endedEvent, isAlive, planRotation, reusedEvent } from '../../auth/session-rules.ts';
import type { DatedEvent } from '../../kernel/audit.ts';
import { findWord, readWord } from '../../kernel/closed-list.ts';
import { openRows, type RowSet } from '../engine/rows.ts';
import type { Row } from '../engine/schema.ts';
import { sql } from '../engine/sql.ts';
import { statement } from '../engine/statement.ts';
import { operation, reading } from '../engine/transaction.ts';
import { writeAudit } from './audit.ts';
import { endSessionsById, lockLiveSessions } from './session-rows.ts';

export const rotateSession = operation(async (transaction, inputs: readonly Rotation[]): Promise<RotationOutcome[]> => {
  const sessions = await openRows(
    transaction,
    'sessions',
    'id',
    inputs.map((input) => input.sessionId),
  );
  const events: DatedEvent[] = [];
  const outcomes = inputs.map((input) => rotateOne(input, sessions, events));
  await Promise.all([sessions.save(), writeAudit(transaction, events)]);
  return outcomes;
});

function rotateOne(input: Rotation, sessions: RowSet<'sessions'>, events: DatedEvent[]): RotationOutcome {
  const row = sessions.get(input.sessionId);
  const plan = planRotation(row && toState(row), input);
  if (row === undefined) return { kind: 'ended' };
  switch (plan.kind) {
    case 'invalid':
    case 'ended':
      return { kind: plan.kind };
    case 'reused':
    case 'expired':
      if (plan.end !== undefined) sessions.put({ ...row, ended_at: input.now, end_reason: plan.end });
      if (plan.kind === 'reused') events.push(reusedEvent(row.user_id, row.id, input.now));
      return { kind: plan.kind };
    case 'repeat':
      return renewed(row, plan.counter, true);
    case 'rotate': {
      const { counter, expiresAt, rotatedBy } = plan;
      const times = { rotated_at: input.now, last_used_at: input.now, expires_at: expiresAt };
      sessions.put({ ...row, counter, ...times, rotated_by: rotatedBy });
      return renewed(row, counter, false);
    }
  }
}

function renewed(row: Row<'sessions'>, counter: number, isRepeat: boolean): RotationOutcome {
  const method = readWord(signInMethods, row.method, 'sessions.method');
  return { kind: 'renewed', counter, userId: row.user_id, method, endsAt: row.ends_at, isRepeat };
}

export const listSessions = reading(
  async (transaction, inputs: readonly { userId: string; now: number }[]): Promise<Session[][]> => {
    const wanted = [...new Set(inputs.map((input) => input.userId))].map((userId) => ({ user_id: userId }));
    const rows = await transaction.all(selectLiveSessions, { wanted });
    return inputs.map(({ userId, now }) =>
      rows.filter((row) => row.user_id === userId && isAlive(toTimes(row), now)).map(toSession),
    );
  },
);

export const endSessions = operation(async (transaction, inputs: readonly Ending[]): Promise<string[][]> => {
  const wanted = [...new Set(inputs.map((input) => input.userId))].map((userId) => ({ user_id: userId }));
  const unended = await transaction.all(lockLiveSessions, { wanted });
  const gone = new Map<string, { id: string; ended_at: number; end_reason: SessionEnd }>();
  const events: DatedEvent[] = [];
  const outputs = inputs.map((input) => {
    const mine = unended.filter((row) => row.user_id === input.userId && !gone.has(row.id));
    const ended = chooseEnded(mine.map(toTimes), input);
    for (const { id, reason } of ended) gone.set(id, { id, ended_at: input.now, end_reason: reason });
    const alive = ended.filter(({ wasAlive }) => wasAlive).map(({ id }) => id);
    events.push(...alive.map((id) => endedEvent(input, id)));
    return alive;
  });
  if (gone.size > 0) await transaction.run(endSessionsById, { rows: [...gone.values()] });
  await writeAudit(transaction, events);
  return outputs;
});

export const endedSince = reading(async (transaction, inputs: readonly number[]) => {
  const rows = await transaction.all(endedAfter, { since: Math.min(...inputs) });
  const ended = rows.map((row) => ({ id: row.id, endedAt: row.ended_at }));
  return inputs.map((since) => ended.filter(({ endedAt }) => endedAt > since));
});

const selectLiveSessions = statement<Row<'sessions'>>(({ all, isAmong }) => {
  const isWanted = isAmong('sessions', 'user_id', 'wanted');
  return sql`select ${all('sessions')} from sessions where ended_at is null and ${isWanted} order by last_used_at desc, id desc`;
});

const endedAfter = statement<{ id: string; ended_at: number }>(
  ({ value }) => sql`select id, ended_at from sessions where ended_at > ${value('since')}`,
);

function toSession(row: Row<'sessions'>): Session {
  return {
    id: row.id,
    userId: row.user_id,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
    // Earlier versions stored it unchanged.
    userAgent: row.user_agent === null ? undefined : cleanUserAgent(row.user_agent),
  };
}

function toTimes(row: Row<'sessions'>) {
  return { id: row.id, expiresAt: row.expires_at, endsAt: row.ends_at };
}

function toState(row: Row<'sessions'>): RotationState {
  return {
    seedHash: row.seed_hash,
    counter: row.counter,
    rotatedAt: row.rotated_at,
    rotatedBy: readRotatedBy(row.rotated_by, row.counter),
    expiresAt: row.expires_at,
    endsAt: row.ends_at,
    endedAt: row.ended_at,
    // The reason of a later version is undefined here.
    endReason: findWord(sessionEnds, row.end_reason ?? ''),
  };
}
