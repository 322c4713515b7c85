// A suspension: the spending brake is on for one country, or for all of them. It is recorded once.
import type { DatedEvent } from '../kernel/audit.ts';
import type { Count } from './caller-limits.ts';
import type { BrakeRule } from './sms-brake.ts';

/** The spending brake is on for one country or, under the rule `day`, for all countries. */
export type Suspension = {
  readonly rule: BrakeRule;
  readonly country: string;
  readonly until: number;
  readonly now: number;
};

/** Id of the entry that records that a suspension was reported. */
export function suspensionId(rule: BrakeRule, country: string): string {
  return `sms-suspended:${rule}${rule === 'day' ? '' : `:${country}`}`;
}

/** The audit event of a suspension; undefined while an earlier one still applies. */
export function judgeSuspension(
  notedUntil: number | undefined,
  { rule, country, until, now }: Suspension,
): { readonly count: Count; readonly event: DatedEvent } | undefined {
  if ((notedUntil ?? 0) > now) return undefined;
  return {
    count: { id: suspensionId(rule, country), value: until, endsAt: until },
    event: { kind: 'spend.suspended', detail: rule === 'day' ? { rule } : { rule, country }, now },
  };
}
