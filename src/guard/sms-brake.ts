// The SMS spending brake: which countries are served, how many messages a day, and signs that someone is pumping for money.
import { Failure } from '../kernel/failure.ts';
import { addHit, findBlock, type Hits, type LimitRule, longestWindow } from './limits.ts';

export type BrakePolicy = {
  /** ISO codes; empty: all. */
  readonly countries: readonly string[];
  /** Messages a UTC day over all countries, and to one; 0: no limit. */
  readonly perDay: number;
  readonly perCountryPerDay: number;
  /** Messages to numbers that differ in their last four digits only. */
  readonly perPrefix: readonly LimitRule[];
  /** Suspends a country when more than this share of at least so many codes was never used. */
  readonly unused: { readonly share: number; readonly least: number } | undefined;
};

export type BrakeWish = {
  readonly phone: string;
  readonly country: string;
  readonly policy: BrakePolicy;
  /** False for a resend: the share of unused codes counts codes, not messages. */
  readonly now: number;
};

/** The counters that a wish touches, by name; undefined where a rule is off. */
export type BrakeIds = {
  readonly total?: string;
  readonly country?: string;
  readonly prefix?: string;
  readonly use?: string;
};

/** Codes opened and codes used in one slot of time. */
export type UseSlot = readonly [slot: number, opened: number, used: number];

export type BrakeCounts = {
  readonly total?: number;
  readonly country?: number;
  readonly prefix?: Hits;
  readonly use?: readonly UseSlot[];
};

const daySeconds = 86_400;
const slotSeconds = 600;
const slotsKept = 36;

export function brakeIds({ phone, country, policy, now }: BrakeWish): BrakeIds {
  return {
    ...(policy.perDay > 0 && { total: dayCounter(now) }),
    ...(policy.perCountryPerDay > 0 && { country: dayCounter(now, country) }),
    ...(policy.perPrefix.length > 0 && { prefix: prefixId(phone) }),
    ...(policy.unused !== undefined && { use: useId(country) }),
  };
}

/** Messages of a UTC day, over all or to one country. */
export function dayCounter(now: number, country?: string): string {
  const day = `sms:${new Date(now).toISOString().slice(0, 10)}`;
  return country === undefined ? day : `${day}:${country}`;
}

export function prefixId(phone: string): string {
  return `sms-prefix:${phone.slice(0, -4)}`;
}

/** Where it is kept that a suspension was told of. */
export function suspensionId(rule: string, country: string): string {
  return `sms-suspended:${rule}${rule === 'day' ? '' : `:${country}`}`;
}

export function useId(country: string): string {
  return `sms-use:${country}`;
}

/** The rule that is broken, by name, and for how long; undefined when the message may go. */
export function findBrake(
  wish: BrakeWish,
  counts: BrakeCounts,
): { rule: string; retryAfterSeconds: number } | undefined {
  const { policy, now } = wish;
  const untilTomorrow = daySeconds - (Math.floor(now / 1000) % daySeconds);
  if (policy.perDay > 0 && (counts.total ?? 0) >= policy.perDay)
    return { rule: 'day', retryAfterSeconds: untilTomorrow };
  if (policy.perCountryPerDay > 0 && (counts.country ?? 0) >= policy.perCountryPerDay) {
    return { rule: 'country', retryAfterSeconds: untilTomorrow };
  }
  const prefix = findBlock(counts.prefix ?? [], policy.perPrefix, now);
  if (prefix !== undefined) return { rule: 'prefix', retryAfterSeconds: prefix.retryAfterSeconds };
  if (policy.unused !== undefined && isPumped(counts.use ?? [], policy.unused, now)) {
    return { rule: 'unused', retryAfterSeconds: slotSeconds };
  }
  return undefined;
}

export function brakeFailure(retryAfterSeconds: number): Failure {
  return new Failure('SMS_SUSPENDED', { retryAfterSeconds }, new Error('the spending brake has closed this way'));
}

export function countMessage(wish: BrakeWish, counts: BrakeCounts, opensCode: boolean): BrakeCounts {
  const { policy, now } = wish;
  return {
    total: (counts.total ?? 0) + 1,
    country: (counts.country ?? 0) + 1,
    prefix: addHit(counts.prefix ?? [], policy.perPrefix, now),
    use: opensCode ? countUse(counts.use ?? [], now, now, 1, 0) : (counts.use ?? []),
  };
}

/** Counts a code to the slot in which it was opened. */
export function countUse(
  slots: readonly UseSlot[],
  openedAt: number,
  now: number,
  opened: number,
  used: number,
): UseSlot[] {
  const slot = slotAt(openedAt);
  const known = slots.find((entry) => entry[0] === slot) ?? ([slot, 0, 0] as const);
  const counted: UseSlot = [slot, known[1] + opened, known[2] + used];
  return [...slots.filter((entry) => entry[0] !== slot && entry[0] > slotAt(now) - slotsKept), counted];
}

export function brakeEnds({ policy, now }: BrakeWish): Required<Record<keyof BrakeIds, number>> {
  return {
    total: now + 2 * daySeconds * 1000,
    country: now + 2 * daySeconds * 1000,
    prefix: now + longestWindow(policy.perPrefix) * 1000,
    use: now + slotsKept * slotSeconds * 1000,
  };
}

/** Codes of the last two slots may still be on their way to being used. */
export function isPumped(
  slots: readonly UseSlot[],
  { share, least }: { share: number; least: number },
  now: number,
): boolean {
  const settled = slots.filter((entry) => entry[0] < slotAt(now) - 1 && entry[0] > slotAt(now) - slotsKept);
  const opened = settled.reduce((sum, entry) => sum + entry[1], 0);
  const used = settled.reduce((sum, entry) => sum + entry[2], 0);
  return least > 0 && opened >= least && (opened - used) / opened > share;
}

function slotAt(milliseconds: number): number {
  return Math.floor(milliseconds / 1000 / slotSeconds);
}
