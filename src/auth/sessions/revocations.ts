// Sessions that ended while their access tokens may still be valid. Every node keeps them in memory and reads them from the store.

import type { Clock } from '../../kernel/clock.ts';
import type { SessionStore } from './session.ts';
import type { SessionId } from './session-id.ts';

export type Revocations = {
  has(sessionId: SessionId): boolean;
  /** Takes effect at once on this node. Other nodes read it from the store. */
  add(sessionIds: readonly SessionId[]): void;
  /** Reads the sessions that ended on any node since the last call. */
  follow(): Promise<void>;
};

/** Allows for clock skew, and for commits that become visible after their timestamp. */
const overlapMilliseconds = 10_000;

export function createRevocations(
  store: Pick<SessionStore, 'endedSince'>,
  clock: Clock,
  accessTokenLifeSeconds: number,
): Revocations {
  const lifeMilliseconds = (accessTokenLifeSeconds + 60) * 1000;
  const ended = new Map<SessionId, number>();
  let since = 0;
  const forget = (now: number) => {
    for (const [id, at] of ended) {
      if (at > now - lifeMilliseconds) break;
      ended.delete(id);
    }
  };
  return {
    has: (sessionId) => ended.has(sessionId),
    add: (sessionIds) => {
      for (const id of sessionIds) ended.set(id, clock.now());
    },
    follow: async () => {
      const now = clock.now();
      const found = await store.endedSince(Math.max(since, now - lifeMilliseconds));
      since = now - overlapMilliseconds;
      for (const { id, endedAt } of found) if (!ended.has(id)) ended.set(id, endedAt);
      forget(now);
    },
  };
}
