// The counters of limits as those who run the service need them: read one, forget some.
import type { AuditDetail, DatedEvent } from '../kernel/audit.ts';

export type LimitClearing = {
  readonly ids: readonly string[];
  /** What it is written down as, where it is more than a recipient's or a caller's limits. */
  readonly kind?: 'limits.cleared' | 'sms.resumed';
  readonly userId?: string;
  readonly detail: AuditDetail;
  readonly now: number;
};

export type LimitStore = {
  /** What a counter holds; an empty list where it holds nothing. */
  read(id: string): Promise<unknown>;
  /** Counters whose id begins so, by id. */
  list(input: { prefix: string; most: number }): Promise<{ id: string; value: unknown }[]>;
  /** Forgets what these counters remember; how many remembered something. */
  clear(clearing: LimitClearing): Promise<number>;
};

export function clearingEvent({ kind = 'limits.cleared', userId, detail, now }: LimitClearing): DatedEvent {
  return { kind, ...(userId !== undefined && { userId }), detail, now };
}
