// The SMS spending brake: which countries are served, how many messages a day, and signs that someone is pumping for money.
import { Failure } from '../kernel/failure.ts';
import type { Count, ReadCounter } from './caller-limits.ts';
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

/** By which rule the brake is tripped: messages of the day, to one country, to numbers alike, or codes that are not used. */
export const brakeRules = ['day', 'country', 'prefix', 'unused'] as const;

export type BrakeRule = (typeof brakeRules)[number];

export type SmsBrakeCheck = {
  readonly phone: string;
  readonly country: string;
  readonly policy: BrakePolicy;
  readonly now: number;
};

/** The counters that a wish touches, by name; undefined where a rule is off. */
export type BrakeIds = {
  readonly total?: string;
  readonly country?: string;
  readonly prefix?: string;
  readonly use?: string;
};

const brakeCounters = ['total', 'country', 'prefix', 'use'] as const satisfies readonly (keyof BrakeIds)[];

/** Codes opened and codes used in one slot of time, and messages sent in it, repeated codes among them. */
export type UseSlot = readonly [slot: number, opened: number, used: number, sent?: number];

export type BrakeCounts = {
  readonly total?: number;
  readonly country?: number;
  readonly prefix?: Hits;
  readonly use?: readonly UseSlot[];
};

const daySeconds = 86_400;
const slotSeconds = 600;
const slotsKept = 36;
/** So many messages a slot try out whether a country that is held has come right. */
const trickle = 3;
/** Times the least number of codes: so many messages within two slots are judged before they had time to be used. */
const burstFactor = 4;

export function brakeIds({ phone, country, policy, now }: SmsBrakeCheck): BrakeIds {
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

export function useId(country: string): string {
  return `sms-use:${country}`;
}

/** What the counters of a check hold. */
export function readBrake(check: SmsBrakeCheck, read: ReadCounter): BrakeCounts {
  const { total, country, prefix, use } = brakeIds(check);
  const held = (id: string | undefined) => (id === undefined ? undefined : read(id));
  return {
    total: (held(total) ?? 0) as number,
    country: (held(country) ?? 0) as number,
    prefix: (held(prefix) ?? []) as Hits,
    use: (held(use) ?? []) as readonly UseSlot[],
  };
}

/** What the counters of a check are to hold once its message goes out. */
export function countBrake(check: SmsBrakeCheck, read: ReadCounter, opensCode: boolean): Count[] {
  const ids = brakeIds(check);
  const counted = countMessage(check, readBrake(check, read), opensCode);
  const ends = brakeEnds(check);
  return brakeCounters.flatMap((name) => {
    const id = ids[name];
    return id === undefined ? [] : [{ id, value: counted[name], endsAt: ends[name] }];
  });
}

/** A code of the country was used. */
export function countUsedCode(country: string, read: ReadCounter, openedAt: number, now: number): Count {
  const id = useId(country);
  const slots = (read(id) ?? []) as readonly UseSlot[];
  return { id, value: countUse(slots, openedAt, now, { used: 1 }), endsAt: now + daySeconds * 1000 };
}

/** The rule that is broken, by name, and for how long; undefined when the message may go. */
export function findBrake(
  check: SmsBrakeCheck,
  counts: BrakeCounts,
): { rule: BrakeRule; retryAfterSeconds: number } | undefined {
  const { policy, now } = check;
  const untilTomorrow = daySeconds - (Math.floor(now / 1000) % daySeconds);
  if (policy.perDay > 0 && (counts.total ?? 0) >= policy.perDay)
    return { rule: 'day', retryAfterSeconds: untilTomorrow };
  if (policy.perCountryPerDay > 0 && (counts.country ?? 0) >= policy.perCountryPerDay) {
    return { rule: 'country', retryAfterSeconds: untilTomorrow };
  }
  const prefix = findBlock(counts.prefix ?? [], policy.perPrefix, now);
  if (prefix !== undefined) return { rule: 'prefix', retryAfterSeconds: prefix.retryAfterSeconds };
  if (policy.unused !== undefined && isHeldBack(counts.use ?? [], policy.unused, now)) {
    const untilNextSlot = slotSeconds - (Math.floor(now / 1000) % slotSeconds);
    return { rule: 'unused', retryAfterSeconds: untilNextSlot };
  }
  return undefined;
}

export function brakeFailure(retryAfterSeconds: number): Failure {
  return new Failure('SMS_SUSPENDED', { retryAfterSeconds }, new Error('the spending brake has closed this way'));
}

function countMessage(check: SmsBrakeCheck, counts: BrakeCounts, opensCode: boolean): BrakeCounts {
  const { policy, now } = check;
  return {
    total: (counts.total ?? 0) + 1,
    country: (counts.country ?? 0) + 1,
    prefix: addHit(counts.prefix ?? [], policy.perPrefix, now),
    use: countUse(counts.use ?? [], now, now, { opened: opensCode ? 1 : 0, sent: 1 }),
  };
}

/** Counts a code to the slot in which it was opened. */
export function countUse(
  slots: readonly UseSlot[],
  openedAt: number,
  now: number,
  { opened = 0, used = 0, sent = 0 }: { opened?: number; used?: number; sent?: number },
): UseSlot[] {
  const slot = slotAt(openedAt);
  const known = slots.find((entry) => entry[0] === slot) ?? ([slot, 0, 0, 0] as const);
  const counted: UseSlot = [slot, known[1] + opened, known[2] + used, sentIn(known) + sent];
  return [...slots.filter((entry) => entry[0] !== slot && entry[0] > slotAt(now) - slotsKept), counted];
}

function brakeEnds({ policy, now }: SmsBrakeCheck): Required<Record<keyof BrakeIds, number>> {
  return {
    total: now + 2 * daySeconds * 1000,
    country: now + 2 * daySeconds * 1000,
    prefix: now + longestWindow(policy.perPrefix) * 1000,
    use: now + slotsKept * slotSeconds * 1000,
  };
}

type UnusedRule = NonNullable<BrakePolicy['unused']>;

/**
 * Whether the brake holds a country's messages because its codes go unused. Closed in the first slot in which it does; half-open in
 * those that follow: a few messages pass, and more for each code among them that is used, as many as the rule allows to go unused.
 */
export function isHeldBack(slots: readonly UseSlot[], rule: UnusedRule, now: number): boolean {
  if (!isPumped(slots, rule, now)) return false;
  if (!isPumped(slots, rule, now - slotSeconds * 1000)) return true;
  const current = slots.find((entry) => entry[0] === slotAt(now)) ?? ([slotAt(now), 0, 0, 0] as const);
  return sentIn(current) >= trickle + Math.floor((current[2] * rule.share) / (1 - rule.share));
}

/** Too few codes of the last hours were used, or a burst of the last minutes is too large to wait for that. */
export function isPumped(slots: readonly UseSlot[], { share, least }: UnusedRule, now: number): boolean {
  const current = slotAt(now);
  const known = slots.filter(([slot]) => slot <= current && slot > current - slotsKept);
  // Codes of the last two slots may still be on their way to being used.
  const settled = known.filter(([slot]) => slot < current - 1);
  const fresh = known.filter(([slot]) => slot >= current - 1);
  const isUnused = (all: number, used: number, from: number) => from > 0 && all >= from && (all - used) / all > share;
  return (
    isUnused(
      sum(settled, ([, opened]) => opened),
      sum(settled, usedIn),
      least,
    ) || isUnused(sum(fresh, sentIn), sum(fresh, usedIn), burstFactor * least)
  );
}

/** Codes opened and used within the hours that the brake looks back. */
export function recentUse(slots: readonly UseSlot[], now: number): { opened: number; used: number } {
  const recent = slots.filter(([slot]) => slot > slotAt(now) - slotsKept);
  return { opened: sum(recent, ([, opened]) => opened), used: sum(recent, usedIn) };
}

function sum(slots: readonly UseSlot[], part: (slot: UseSlot) => number): number {
  return slots.reduce((total, slot) => total + part(slot), 0);
}

function usedIn([, , used]: UseSlot): number {
  return used;
}

/** A node that does not count messages yet leaves them out. */
function sentIn([, opened, , sent = opened]: UseSlot): number {
  return sent;
}

function slotAt(milliseconds: number): number {
  return Math.floor(milliseconds / 1000 / slotSeconds);
}
