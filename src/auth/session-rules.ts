// The rules of a session: its times, what a rotation changes, which sessions a new one evicts, and which ones an act ends.
import type { DatedEvent } from '../kernel/audit.ts';
import {
  type Ending,
  judgeRotation,
  type Rotation,
  type RotationState,
  type SessionDraft,
  type SessionEnd,
  type SessionPolicy,
  writeRotatedBy,
} from './session.ts';

export type SessionTimes = { readonly expiresAt: number; readonly endsAt: number };

/** The times of a session that starts now. */
export function startSessionAt({ idleSeconds, lifeSeconds }: SessionPolicy, now: number): SessionTimes {
  return { expiresAt: now + idleSeconds * 1000, endsAt: now + lifeSeconds * 1000 };
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

export function evictedEvent(userId: string, sessionId: string, { now }: SessionDraft): DatedEvent {
  return { kind: 'session.evicted', userId, detail: { session: sessionId }, now };
}

export type RotationPlan =
  | { readonly kind: 'invalid' | 'ended' }
  /** `end`: the session ends with this, for that reason; undefined if it has already ended. */
  | { readonly kind: 'reused' | 'expired'; readonly end: SessionEnd | undefined }
  | { readonly kind: 'repeat'; readonly counter: number }
  | {
      readonly kind: 'rotate';
      readonly counter: number;
      readonly expiresAt: number;
      readonly rotatedBy: string | null;
    };

export function planRotation(state: RotationState | undefined, rotation: Rotation): RotationPlan {
  const kind = judgeRotation(state, rotation);
  if (state === undefined || kind === 'ended') return { kind: 'ended' };
  const { policy, client, now } = rotation;
  switch (kind) {
    case 'invalid':
      return { kind };
    case 'reused':
      return { kind, end: 'reused' };
    case 'expired':
      return { kind, end: state.endedAt === null ? expiryOf(state, now) : undefined };
    case 'repeat':
      return { kind, counter: state.counter };
    case 'rotate': {
      const counter = state.counter + 1;
      const expiresAt = Math.min(startSessionAt(policy, now).expiresAt, state.endsAt);
      return { kind, counter, expiresAt, rotatedBy: writeRotatedBy(counter, client) };
    }
  }
}

export function reusedEvent(userId: string, sessionId: string, now: number): DatedEvent {
  return { kind: 'session.reused', userId, detail: { session: sessionId }, now };
}

export type EndedSession = { readonly id: string; readonly reason: SessionEnd; readonly wasAlive: boolean };

/**
 * Which of a user's sessions an act ends, and why. One that had expired is marked as expired, so that no access token outlives it,
 * but the act did not end it.
 */
export function chooseEnded(
  sessions: readonly (SessionTimes & { readonly id: string })[],
  ending: Ending,
): EndedSession[] {
  return sessions
    .filter(({ id }) => isMeant(id, ending))
    .map((session) => {
      const wasAlive = isAlive(session, ending.now);
      return { id: session.id, wasAlive, reason: wasAlive ? ending.reason : expiryOf(session, ending.now) };
    });
}

export function endedEvent({ userId, reason, by, now }: Ending, sessionId: string): DatedEvent {
  return { kind: 'session.ended', userId, detail: { session: sessionId, reason, ...by }, now };
}

function isMeant(id: string, { scope, sessionId }: Ending): boolean {
  if (scope === 'all') return true;
  return scope === 'this' ? id === sessionId : id !== sessionId;
}
