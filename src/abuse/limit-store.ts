// The limit counters as operators and staff use them: read, list and clear.

import type { AuditDetail, DatedEvent } from '../kernel/audit.ts';
import type { UserId } from '../kernel/ids.ts';

export type LimitClearing = {
  readonly ids: readonly string[];
  /** The kind of the audit event. Defaults to `limits.cleared`. */
  readonly kind?: 'limits.cleared' | 'sms.resumed';
  readonly userId?: UserId;
  readonly detail: AuditDetail;
  readonly now: number;
};

export type LimitStore = {
  /** The value of a counter; an empty list if it has none. */
  read(id: string): Promise<unknown>;
  /** Counters whose id starts with the prefix, ordered by id. */
  list(input: { prefix: string; most: number }): Promise<{ id: string; value: unknown }[]>;
  /** Clears these counters, and writes the audit event if one held a value. Returns how many did. */
  clear(clearing: LimitClearing): Promise<number>;
};

/** None if there was nothing to clear. */
export function clearingEvents(
  { kind = 'limits.cleared', userId, detail, now }: LimitClearing,
  cleared: number,
): DatedEvent[] {
  return cleared === 0 ? [] : [{ kind, ...(userId !== undefined && { userId }), detail, now }];
}

/** What a counter can hold: numbers, and the words that tell them apart, alone or in lists within lists. */
export function isCounter(value: unknown, depth = 0): boolean {
  if (typeof value === 'number') return value >= 0 && Number.isFinite(value);
  if (typeof value === 'string') return depth > 0 && /^[\x20-\x7e]{0,100}$/.test(value);
  if (typeof value !== 'object' || value === null || depth === deepest) return false;
  return Object.values(value).every((part) => isCounter(part, depth + 1));
}

const deepest = 3;
