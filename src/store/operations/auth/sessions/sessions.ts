// Sessions after sign-in: rotation, listing, ending, and the feed of ended ones that every node follows.

import { readScopes } from '../../../../apps/clients/app.ts';
import { readLateRepeats } from '../../../../auth/sessions/late-repeat.ts';
import { readRotatedBy } from '../../../../auth/sessions/rotation-client.ts';
import {
  cleanUserAgent,
  type Ending,
  type LastProof,
  proofMethods,
  type Renewal,
  type Rotation,
  type RotationOutcome,
  type RotationState,
  type Session,
  type SessionApp,
  sessionEnds,
  signInMethods,
} from '../../../../auth/sessions/session.ts';
import type { SessionId } from '../../../../auth/sessions/session-id.ts';
import {
  endedEvents,
  isAlive,
  planRotation,
  type RotationPlan,
  reusedEvent,
} from '../../../../auth/sessions/session-rules.ts';
import type { DatedEvent } from '../../../../kernel/audit.ts';
import type { UserId } from '../../../../kernel/ids.ts';
import { findWord, readWord } from '../../../../kernel/text/closed-list.ts';
import { openRows, type RowSet } from '../../../engine/rows.ts';
import type { Row } from '../../../engine/schema.ts';
import { sql } from '../../../engine/sql.ts';
import { statement } from '../../../engine/statement.ts';
import { operation, reading } from '../../../engine/transaction.ts';
import { writeAudit } from '../../audit.ts';
import { readJson } from '../../stored-json.ts';
import { collectReused, type ReusedSessions } from './child-sessions.ts';
import { openLiveSessions, toEndable } from './live-sessions.ts';
import { findClaims } from './session-claims.ts';

export const rotate = operation(async (transaction, inputs: readonly Rotation[]): Promise<RotationOutcome[]> => {
  const ids = inputs.map((input) => input.sessionId);
  const [sessions, claims] = await Promise.all([
    openRows(transaction, 'sessions', 'id', ids),
    findClaims(transaction, ids),
  ]);
  const events: DatedEvent[] = [];
  const reused = collectReused(ids, sessions);
  const outcomes = inputs.map((input) => {
    const row = sessions.get(input.sessionId);
    const plan = planRotation(row && toState(row), input);
    if (row === undefined) return { kind: 'ended' as const };
    return applyRotation(plan, { row, claims: claims.get(row.id) ?? null }, input, { sessions, reused, events });
  });
  await Promise.all([sessions.save(), writeAudit(transaction, events)]);
  return reused.save(transaction, outcomes, (index) => inputs[index]?.sessionId);
});

/** A session, and the claims of its user as they are stored. */
type RotatedRow = { readonly row: Row<'sessions'>; readonly claims: string | null };

/** What the rotations of a batch change. */
type Rotated = {
  readonly sessions: RowSet<'sessions'>;
  readonly reused: ReusedSessions;
  readonly events: DatedEvent[];
};

/** Puts what the plan changes into the open rows. */
export function applyRotation(
  plan: RotationPlan,
  { row, claims }: RotatedRow,
  input: Pick<Rotation, 'now'>,
  { sessions, reused, events }: Rotated,
): RotationOutcome {
  switch (plan.kind) {
    case 'invalid':
    case 'ended':
    case 'too wide':
      return { kind: plan.kind };
    case 'reused':
    case 'expired':
      if (plan.end !== undefined) sessions.put({ ...row, ended_at: input.now, end_reason: plan.end });
      if (plan.kind === 'expired') return { kind: plan.kind };
      events.push(reusedEvent(row.user_id, row.id, input.now));
      reused.add(row, input.now);
      return { kind: plan.kind };
    case 'repeat':
      return renewed({ row, claims }, plan.counter, 'repeated');
    case 'repeat late':
      sessions.put({ ...row, late_repeats: plan.lateRepeats });
      return renewed({ row, claims }, plan.counter, 'repeated late');
    case 'rotate': {
      const { seedHash, counter, expiresAt, rotatedBy, lateRepeats = row.late_repeats } = plan;
      const times = { rotated_at: input.now, last_used_at: input.now, expires_at: expiresAt };
      const memory = { rotated_by: rotatedBy, late_repeats: lateRepeats };
      sessions.put({ ...row, seed_hash: seedHash, counter, ...times, ...memory });
      return renewed({ row, claims }, counter, 'rotated');
    }
  }
}

function renewed({ row, claims }: RotatedRow, counter: number, renewal: Renewal): RotationOutcome {
  const pair = { counter, userId: row.user_id, ...lastProofOf(row), endsAt: row.ends_at, claims: readJson(claims) };
  const { app } = toSessionApp(row);
  return { kind: 'renewed', ...pair, renewal, ...(app !== undefined && { scopes: app.scopes }) };
}

/** A session of an older version was proved at sign-in only. So was one with a proof that only a later version knows. */
export function lastProofOf(row: Row<'sessions'>): LastProof {
  const method = readWord(signInMethods, row.method, 'sessions.method');
  const proof = findWord(proofMethods, row.proof ?? '');
  if (proof === undefined || row.proved_at === null) return { proof: method, provedAt: row.created_at };
  return { proof, provedAt: row.proved_at };
}

export const listSessions = reading(
  async (transaction, inputs: readonly { userId: UserId; now: number }[]): Promise<Session[][]> => {
    const wanted = [...new Set(inputs.map((input) => input.userId))].map((userId) => ({ user_id: userId }));
    const rows = await transaction.all(selectLiveSessions, { wanted });
    return inputs.map(({ userId, now }) =>
      rows.filter((row) => row.user_id === userId && isAlive(toEndable(row), now)).map(toSession),
    );
  },
);

export const endSessions = operation(async (transaction, inputs: readonly Ending[]): Promise<SessionId[][]> => {
  const userIds = inputs.map((input) => input.userId);
  // Users are locked first: an app that is exchanging a code of a session that ends here is waited for, and its session ends too.
  const [, sessions] = await Promise.all([
    openRows(transaction, 'users', 'id', userIds),
    openLiveSessions(transaction, userIds),
  ]);
  const events: DatedEvent[] = [];
  const outputs = inputs.map((input) => {
    const alive = sessions.end(input);
    events.push(...endedEvents(input, alive));
    return alive;
  });
  await sessions.save();
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

const endedAfter = statement<{ id: SessionId; ended_at: number }>(
  ({ value }) => sql`select id, ended_at from sessions where ended_at > ${value('since')}`,
);

function toSession(row: Row<'sessions'>): Session {
  return {
    id: row.id,
    userId: row.user_id,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
    ...lastProofOf(row),
    // Earlier versions stored it unchanged.
    userAgent: row.user_agent === null ? undefined : cleanUserAgent(row.user_agent),
    appId: row.app_id ?? undefined,
  };
}

function toSessionApp({ app_id, app_scopes }: Row<'sessions'>): { app?: SessionApp } {
  return app_id === null ? {} : { app: { id: app_id, scopes: readScopes(app_scopes ?? '') } };
}

export function toState(row: Row<'sessions'>): RotationState {
  return {
    seedHash: row.seed_hash,
    counter: row.counter,
    rotatedAt: row.rotated_at,
    rotatedBy: readRotatedBy(row.rotated_by, row.counter),
    lateRepeats: readLateRepeats(row.late_repeats),
    expiresAt: row.expires_at,
    endsAt: row.ends_at,
    endedAt: row.ended_at,
    // The reason of a later version is undefined here.
    endReason: findWord(sessionEnds, row.end_reason ?? ''),
    ...toSessionApp(row),
  };
}
