// Rate-limits frequent warnings: logs each kind at most once per interval and counts the ones that were left out.
import type { Log, LogFields } from '../process/telemetry.ts';

export type RateLimitedWarnings = (kind: string, event: string, facts: LogFields) => void;

/** `kind` must come from a small set: memory grows with every new kind. */
export function createRateLimitedWarnings(
  log: Log,
  everyMilliseconds: number,
  now = () => performance.now(),
): RateLimitedWarnings {
  const kinds = new Map<string, { loggedAt: number; leftOut: number }>();
  return (kind, event, facts) => {
    const last = kinds.get(kind);
    if (last !== undefined && now() - last.loggedAt < everyMilliseconds) {
      last.leftOut += 1;
      return;
    }
    log.warn(event, last === undefined || last.leftOut === 0 ? facts : { ...facts, leftOut: last.leftOut });
    kinds.set(kind, { loggedAt: now(), leftOut: 0 });
  };
}
