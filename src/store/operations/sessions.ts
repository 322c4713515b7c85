// Sessions after sign-in: rotation, listing, ending, and the feed of ended ones that every node follows.
import {
  cleanUserAgent,
  judgeRotation,
  type Rotation,
  type RotationOutcome,
  type RotationState,
  readRotatedBy,
  type Session,
  type SessionEnd,
  sessionEnds,
  signInMethods,
  writeRotatedBy,
} from '../../auth/session.ts';
import type { Act } from '../../kernel/audit.ts';
import { findWord, readWord } from '../../kernel/closed-list.ts';
import { openRows, type RowSet } from '../engine/rows.ts';
import type { Row } from '../engine/schema.ts';
import { sql } from '../engine/sql.ts';
import { statement } from '../engine/statement.ts';
import { operation, reading } from '../engine/transaction.ts';
import { type DatedEvent, writeAudit } from './audit.ts';
import { endSessionsById } from './session-rows.ts';

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
  const verdict = judgeRotation(row && toState(row), input);
  if (row === undefined || verdict === 'ended' || verdict === 'invalid')
    return { kind: verdict === 'invalid' ? 'invalid' : 'ended' };
  if (verdict === 'reused') {
    sessions.put({ ...row, ended_at: input.now, end_reason: 'reused' satisfies SessionEnd });
    events.push({ kind: 'session.reused', userId: row.user_id, detail: { session: row.id }, now: input.now });
    return { kind: 'reused' };
  }
  if (verdict === 'expired') {
    if (row.ended_at === null) sessions.put({ ...row, ended_at: input.now, end_reason: expiryOf(row, input.now) });
    return { kind: 'expired' };
  }
  const counter = verdict === 'rotate' ? row.counter + 1 : row.counter;
  if (verdict === 'rotate') {
    const expiresAt = Math.min(input.now + input.policy.idleSeconds * 1000, row.ends_at);
    const times = { rotated_at: input.now, last_used_at: input.now, expires_at: expiresAt };
    sessions.put({ ...row, counter, ...times, rotated_by: writeRotatedBy(counter, input.client) });
  }
  return {
    kind: 'renewed',
    counter,
    userId: row.user_id,
    method: readWord(signInMethods, row.method, 'sessions.method'),
    endsAt: row.ends_at,
    isRepeat: verdict === 'repeat',
  };
}

export const listSessions = reading(
  async (transaction, inputs: readonly { userId: string; now: number }[]): Promise<Session[][]> => {
    const wanted = [...new Set(inputs.map((input) => input.userId))].map((userId) => ({ user_id: userId }));
    const rows = await transaction.all(selectLiveSessions, { wanted });
    return inputs.map(({ userId, now }) =>
      rows.filter((row) => row.user_id === userId && row.expires_at > now).map(toSession),
    );
  },
);

export type Ending = {
  readonly userId: string;
  readonly sessionId: string;
  readonly scope: 'this' | 'others' | 'all';
  readonly reason: SessionEnd;
  readonly by?: Act;
  readonly now: number;
};

export const endSessions = operation(async (transaction, inputs: readonly Ending[]): Promise<string[][]> => {
  const wanted = [...new Set(inputs.map((input) => input.userId))].map((userId) => ({ user_id: userId }));
  const unended = await transaction.all(lockLiveSessions, { wanted });
  const gone = new Map<string, { id: string; ended_at: number; end_reason: SessionEnd }>();
  const events: DatedEvent[] = [];
  const outputs = inputs.map((input) => {
    const mine = unended.filter((row) => row.user_id === input.userId && !gone.has(row.id) && isMeant(row.id, input));
    // One that has expired is marked, so that no access token outlives it, but was not alive to be told of.
    const alive = mine.filter((row) => row.expires_at > input.now);
    for (const row of mine) {
      const reason = alive.includes(row) ? input.reason : expiryOf(row, input.now);
      gone.set(row.id, { id: row.id, ended_at: input.now, end_reason: reason });
    }
    for (const row of alive) {
      events.push({
        kind: 'session.ended',
        userId: input.userId,
        detail: { session: row.id, reason: input.reason, ...input.by },
        now: input.now,
      });
    }
    return alive.map((row) => row.id);
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

function isMeant(id: string, { scope, sessionId }: Ending): boolean {
  if (scope === 'all') return true;
  return scope === 'this' ? id === sessionId : id !== sessionId;
}

function expiryOf(row: Row<'sessions'>, now: number): SessionEnd {
  return now >= row.ends_at ? 'absolute' : 'idle';
}

const selectLiveSessions = statement<Row<'sessions'>>(({ all, isAmong }) => {
  const isWanted = isAmong('sessions', 'user_id', 'wanted');
  return sql`select ${all('sessions')} from sessions where ended_at is null and ${isWanted} order by last_used_at desc, id desc`;
});

/** Of two nodes that end the same sessions one finds them. In the order of the key, as wherever sessions are locked. */
const lockLiveSessions = statement<Row<'sessions'>>(({ all, isAmong, lock }) => {
  const isWanted = isAmong('sessions', 'user_id', 'wanted');
  return sql`select ${all('sessions')} from sessions where ended_at is null and ${isWanted} order by id || '' ${lock()}`;
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
    // Versions before this one kept it as it came.
    userAgent: row.user_agent === null ? undefined : cleanUserAgent(row.user_agent),
  };
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
    // A reason of a later version is none of those that count here.
    endReason: findWord(sessionEnds, row.end_reason ?? ''),
  };
}
