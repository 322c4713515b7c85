// Sessions that ended while an access token of theirs may still be alive: held in memory on every node, fed from the store.
import type { Clock } from '../kernel/clock.ts';
import type { SessionStore } from './session.ts';

export type Revocations = {
  has(sessionId: string): boolean;
  /** At once on this node; the others learn of it from the store. */
  add(sessionIds: readonly string[]): void;
  /** Reads what ended since the last call, whoever ended it. */
  follow(): Promise<void>;
};

/** Commits may become visible a little after the time they carry, and clocks differ a little. */
const overlapMilliseconds = 10_000;

export function createRevocations(
  store: Pick<SessionStore, 'endedSince'>,
  clock: Clock,
  accessTokenLifeSeconds: number,
): Revocations {
  const lifeMilliseconds = (accessTokenLifeSeconds + 60) * 1000;
  const ended = new Map<string, number>();
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
