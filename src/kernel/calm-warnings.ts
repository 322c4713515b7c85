// Warnings that may come by the thousand: each kind is logged now and then, and what was left out is counted.
import type { Facts, Log } from './telemetry.ts';

export type CalmWarnings = (kind: string, event: string, facts: Facts) => void;

/** `kind` is one of a few words: there is an entry for each that ever came. */
export function createCalmWarnings(log: Log, everyMilliseconds: number, now = () => performance.now()): CalmWarnings {
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
