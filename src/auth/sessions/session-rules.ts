// The rules of a session: its times, what a rotation changes, which sessions a new one evicts, and which ones an act ends.

import type { DatedEvent } from '../../kernel/audit.ts';
import type { UserId } from '../../kernel/ids.ts';
import { unreachable } from '../../kernel/text/closed-list.ts';
import { writeLateRepeats } from './late-repeat.ts';
import { writeRotatedBy } from './rotation-client.ts';
import {
  type Ending,
  judgeRotation,
  type Reseeding,
  type Rotation,
  type RotationState,
  type SessionDraft,
  type SessionEnd,
  type SessionPolicy,
} from './session.ts';
import type { SessionId } from './session-id.ts';

export type SessionTimes = { readonly expiresAt: number; readonly endsAt: number };

/** The times of a session that starts now. */
export function startSessionAt({ idleSeconds, lifeSeconds }: SessionPolicy, now: number): SessionTimes {
  return { expiresAt: now + idleSeconds * 1000, endsAt: now + lifeSeconds * 1000 };
}

/** Until when a session lives that is used now: never longer than its whole life. */
export function extendSession(policy: SessionPolicy, endsAt: number, now: number): number {
  return Math.min(startSessionAt(policy, now).expiresAt, endsAt);
}

/** A session that was not ended may still have expired. */
export function isAlive({ expiresAt }: Pick<SessionTimes, 'expiresAt'>, now: number): boolean {
  return expiresAt > now;
}

/** Why a session expired: it reached its maximum life, or was idle for too long. */
export function expiryOf({ endsAt }: Pick<SessionTimes, 'endsAt'>, now: number): 'absolute' | 'idle' {
  return now >= endsAt ? 'absolute' : 'idle';
}

/** The least recently used live sessions of a user that must end so that one more fits. */
export function chooseEvicted<S extends { readonly lastUsedAt: number }>(live: readonly S[], perUser: number): S[] {
  const tooMany = Math.max(0, live.length - perUser + 1);
  return live.toSorted((a, b) => a.lastUsedAt - b.lastUsedAt).slice(0, tooMany);
}

export function evictedEvent(userId: UserId, sessionId: SessionId, { now }: Pick<SessionDraft, 'now'>): DatedEvent {
  return { kind: 'session.evicted', userId, detail: { session: sessionId }, now };
}

export type RotationPlan =
  | { readonly kind: 'invalid' | 'ended' | 'too wide' }
  /** `end`: the session ends with this, for that reason; undefined if it has already ended. */
  | { readonly kind: 'reused' | 'expired'; readonly end: SessionEnd | undefined }
  | { readonly kind: 'repeat'; readonly counter: number }
  | { readonly kind: 'repeat late'; readonly counter: number; readonly lateRepeats: string | null }
  | {
      readonly kind: 'rotate';
      readonly seedHash: string;
      readonly counter: number;
      readonly expiresAt: number;
      readonly rotatedBy: string | null;
      /** Only if they start anew. */
      readonly lateRepeats?: null;
    };

export function planRotation(state: RotationState | undefined, rotation: Rotation): RotationPlan {
  const verdict = judgeRotation(state, rotation);
  if (state === undefined) return { kind: 'ended' };
  const { policy, client, now } = rotation;
  switch (verdict.kind) {
    case 'ended':
    case 'invalid':
    case 'too wide':
      return { kind: verdict.kind };
    case 'reused':
      return { kind: 'reused', end: 'reused' };
    case 'expired':
      return { kind: 'expired', end: state.endedAt === null ? expiryOf(state, now) : undefined };
    case 'repeat':
      return { kind: 'repeat', counter: state.counter };
    case 'repeat late':
      return { kind: 'repeat late', counter: state.counter, lateRepeats: writeLateRepeats(verdict.lateRepeats) };
    case 'rotate': {
      const counter = state.counter + 1;
      const expiresAt = extendSession(policy, state.endsAt, now);
      const rotatedBy = writeRotatedBy(counter, client);
      return { kind: 'rotate', seedHash: state.seedHash, counter, expiresAt, rotatedBy };
    }
  }
}

/** Whether the client gets a token pair. */
export function givesPair({ kind }: RotationPlan): boolean {
  return kind === 'rotate' || kind === 'repeat' || kind === 'repeat late';
}

/** The session continues as with its newest token, but its tokens start anew, as at a sign-in: the first one has no predecessor. */
export function planReseeding(state: RotationState | undefined, { seedHash, ...reseeding }: Reseeding): RotationPlan {
  if (state === undefined) return { kind: 'ended' };
  const plan = planRotation(state, { ...reseeding, seedHash: state.seedHash, counter: state.counter });
  return plan.kind === 'rotate' ? { ...plan, seedHash, counter: 0, rotatedBy: null, lateRepeats: null } : plan;
}

export function reusedEvent(userId: UserId, sessionId: SessionId, now: number): DatedEvent {
  return { kind: 'session.reused', userId, detail: { session: sessionId }, now };
}

/** Where a session of an app comes from: the session of this service that gave the code. */
type SessionOrigin = { readonly parentId: SessionId; readonly scopes: readonly string[] };

/** `origin` is absent for a session of this service. */
export type Endable = SessionTimes & { readonly id: SessionId; readonly origin?: SessionOrigin };

type EndedSession = { readonly id: SessionId; readonly reason: SessionEnd; readonly wasAlive: boolean };

/**
 * Which of a user's sessions an act ends, and why. One that had expired is marked as expired, so that no access token outlives it,
 * but the act did not end it.
 */
export function chooseEnded(sessions: readonly Endable[], ending: Ending): EndedSession[] {
  return sessions
    .filter((session) => isMeant(session, ending))
    .map((session) => {
      const wasAlive = isAlive(session, ending.now);
      return { id: session.id, wasAlive, reason: wasAlive ? ending.reason : expiryOf(session, ending.now) };
    });
}

/** One event for one act, however many sessions it ended. None if it ended no session. */
export function endedEvents(
  { userId, reason, by, now }: Pick<Ending, 'userId' | 'reason' | 'by' | 'now'>,
  ended: readonly SessionId[],
): DatedEvent[] {
  const [first] = ended;
  if (first === undefined) return [];
  const session = ended.length === 1 ? { session: first } : {};
  return [{ kind: 'session.ended', userId, detail: { ...session, sessions: ended.length, reason, ...by }, now }];
}

function isMeant({ id, origin }: Endable, { scope, sessionId, reason }: Ending): boolean {
  if (scope === 'all') return true;
  return scope === 'this' ? id === sessionId || endsWith(origin, sessionId, reason) : id !== sessionId;
}

/** With this scope an app stays signed in when the user signs out of this service. */
const offlineScope = 'offline_access';

/**
 * If a session of this service ends by an act, the sessions of apps that come from it end too. A plain sign-out spares those that
 * may go on without the user. A session that expires or is evicted ends no other.
 */
function endsWith(origin: SessionOrigin | undefined, endedId: SessionId, reason: SessionEnd): boolean {
  if (origin?.parentId !== endedId) return false;
  switch (reason) {
    case 'idle':
    case 'absolute':
    case 'evicted':
      return false;
    case 'logged out':
      return !origin.scopes.includes(offlineScope);
    case 'revoked':
    case 'reused':
    case 'account deleted':
    case 'blocked':
    case 'not me':
    case 'phone changed':
      return true;
    default:
      return unreachable(reason);
  }
}
