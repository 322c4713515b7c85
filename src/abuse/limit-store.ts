// The limit counters as operators and staff use them: read, list and clear.
import type { AuditDetail, DatedEvent } from '../kernel/audit.ts';

export type LimitClearing = {
  readonly ids: readonly string[];
  /** The kind of the audit event. Defaults to `limits.cleared`. */
  readonly kind?: 'limits.cleared' | 'sms.resumed';
  readonly userId?: string;
  readonly detail: AuditDetail;
  readonly now: number;
};

export type LimitStore = {
  /** The value of a counter; an empty list if it has none. */
  read(id: string): Promise<unknown>;
  /** Counters whose id starts with the prefix, ordered by id. */
  list(input: { prefix: string; most: number }): Promise<{ id: string; value: unknown }[]>;
  /** Clears these counters and writes the audit event. Returns how many held a value. */
  clear(clearing: LimitClearing): Promise<number>;
};

export function clearingEvent({ kind = 'limits.cleared', userId, detail, now }: LimitClearing): DatedEvent {
  return { kind, ...(userId !== undefined && { userId }), detail, now };
}
