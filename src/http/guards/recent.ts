// Guard: requires a sign-in, or a code entered again, within the last minutes. It reads the verified access token only.
import { requireRecent } from '../../auth/sessions/recent-sign-in.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Caller } from '../interface/route.ts';

/** Refuses a request without a caller too, so that a route cannot have this guard alone. */
export type RecentGuard = (caller: Caller | undefined) => void;

export function createRecentGuard({ clock, recentSeconds }: { clock: Clock; recentSeconds: number }): RecentGuard {
  return (caller) => requireRecent(caller?.provedAt, recentSeconds, clock.now());
}
