// The SMS spending brake: served countries, messages a day, and detection of SMS pumping (fraud that earns money per message).

import { Failure } from '../kernel/failure.ts';
import type { PhoneNumber } from '../kernel/recipient.ts';
import type { Count, ReadCounter } from './caller-limits.ts';
import { addHit, findBlock, type Hits, type LimitRule, longestWindow } from './limits.ts';

export type BrakePolicy = {
  /** ISO codes. Empty means all countries. */
  readonly countries: readonly string[];
  /** Messages per UTC day, over all countries and to one country. 0 means no limit. */
  readonly perDay: number;
  readonly perCountryPerDay: number;
  /** Messages to numbers that differ only in their last four digits. */
  readonly perPrefix: readonly LimitRule[];
  /** Trips for a country if at least `least` codes were sent and more than `share` of them were never used. */
  readonly unused: { readonly share: number; readonly least: number } | undefined;
};

/** The rules that trip the brake: messages per day, per country, per number prefix, and unused codes. */
export const brakeRules = ['day', 'country', 'prefix', 'unused'] as const;

export type BrakeRule = (typeof brakeRules)[number];

export type SmsBrakeCheck = {
  readonly phone: PhoneNumber;
  readonly country: string;
  readonly policy: BrakePolicy;
  readonly now: number;
};

/** Ids of the counters of a request. Absent if a rule is off. */
type BrakeIds = {
  readonly total?: string;
  readonly country?: string;
  readonly prefix?: string;
  readonly use?: string;
};

const brakeCounters = ['total', 'country', 'prefix', 'use'] as const satisfies readonly (keyof BrakeIds)[];

/** Per time span: codes opened, codes used, and messages sent (including repeated codes). */
export type UseSpan = readonly [span: number, opened: number, used: number, sent?: number];

export type BrakeCounts = {
  readonly total: number;
  readonly country: number;
  readonly prefix: Hits;
  readonly use: readonly UseSpan[];
};

const daySeconds = 86_400;
const spanSeconds = 600;
const spansKept = 36;
/** While the brake is on for a country, this many messages per span still pass, to detect recovery. */
const trickle = 3;
/** If two spans hold this many times `least` messages, the rule does not wait for their codes to be used. */
const burstFactor = 4;

export function brakeIds({ phone, country, policy, now }: SmsBrakeCheck): BrakeIds {
  return {
    ...(policy.perDay > 0 && { total: dayCounter(now) }),
    ...(policy.perCountryPerDay > 0 && { country: dayCounter(now, country) }),
    ...(policy.perPrefix.length > 0 && { prefix: prefixId(phone) }),
    ...(policy.unused !== undefined && { use: usageCounterId(country) }),
  };
}

/** The check, or undefined if every rule is off: then there is nothing to carry, read or count. */
export function brakeCheck(check: SmsBrakeCheck): SmsBrakeCheck | undefined {
  const { perDay, perCountryPerDay, perPrefix, unused } = check.policy;
  return perDay > 0 || perCountryPerDay > 0 || perPrefix.length > 0 || unused !== undefined ? check : undefined;
}

/** Id of the counter of messages per UTC day, over all countries or to one country. */
export function dayCounter(now: number, country?: string): string {
  const day = `sms:${new Date(now).toISOString().slice(0, 10)}`;
  return country === undefined ? day : `${day}:${country}`;
}

export function prefixId(phone: PhoneNumber): string {
  return `sms-prefix:${phone.slice(0, -4)}`;
}

export function usageCounterId(country: string): string {
  return `sms-use:${country}`;
}

/** The counters of a check. */
export function readBrake(check: SmsBrakeCheck, read: ReadCounter): BrakeCounts {
  const { total, country, prefix, use } = brakeIds(check);
  const held = (id: string | undefined) => (id === undefined ? undefined : read(id));
  return {
    total: (held(total) ?? 0) as number,
    country: (held(country) ?? 0) as number,
    prefix: (held(prefix) ?? []) as Hits,
    use: (held(use) ?? []) as readonly UseSpan[],
  };
}

/** The counters of a check after its message is sent. */
export function countBrake(check: SmsBrakeCheck, read: ReadCounter, opensCode: boolean): Count[] {
  const ids = brakeIds(check);
  const counted = countMessage(check, readBrake(check, read), opensCode);
  const ends = brakeExpiries(check);
  return brakeCounters.flatMap((name) => {
    const id = ids[name];
    return id === undefined ? [] : [{ id, value: counted[name], endsAt: ends[name] }];
  });
}

/** Counts a used code of the country. */
export function countUsedCode(country: string, read: ReadCounter, openedAt: number, now: number): Count {
  const id = usageCounterId(country);
  const spans = (read(id) ?? []) as readonly UseSpan[];
  return { id, value: countUse(spans, openedAt, now, { used: 1 }), endsAt: now + daySeconds * 1000 };
}

/** The rule that refuses the message, and for how long. Undefined if the brake is off. */
export function findBrake(
  check: SmsBrakeCheck,
  counts: BrakeCounts,
): { rule: BrakeRule; retryAfterSeconds: number } | undefined {
  const { policy, now } = check;
  const untilTomorrow = daySeconds - (Math.floor(now / 1000) % daySeconds);
  if (policy.perDay > 0 && counts.total >= policy.perDay) return { rule: 'day', retryAfterSeconds: untilTomorrow };
  if (policy.perCountryPerDay > 0 && counts.country >= policy.perCountryPerDay) {
    return { rule: 'country', retryAfterSeconds: untilTomorrow };
  }
  const prefix = findBlock(counts.prefix, policy.perPrefix, now);
  if (prefix !== undefined) return { rule: 'prefix', retryAfterSeconds: prefix.retryAfterSeconds };
  if (policy.unused !== undefined && isSuspended(counts.use, policy.unused, now)) {
    const untilNextSpan = spanSeconds - (Math.floor(now / 1000) % spanSeconds);
    return { rule: 'unused', retryAfterSeconds: untilNextSpan };
  }
  return undefined;
}

export function brakeFailure(retryAfterSeconds: number): Failure<'SMS_SUSPENDED'> {
  return new Failure('SMS_SUSPENDED', { retryAfterSeconds }, new Error('the spending brake is on'));
}

function countMessage(check: SmsBrakeCheck, counts: BrakeCounts, opensCode: boolean): BrakeCounts {
  const { policy, now } = check;
  return {
    total: counts.total + 1,
    country: counts.country + 1,
    prefix: addHit(counts.prefix, policy.perPrefix, now),
    use: countUse(counts.use, now, now, { opened: opensCode ? 1 : 0, sent: 1 }),
  };
}

/** Adds to the span in which the code was opened. */
export function countUse(
  spans: readonly UseSpan[],
  openedAt: number,
  now: number,
  { opened = 0, used = 0, sent = 0 }: { opened?: number; used?: number; sent?: number },
): UseSpan[] {
  const span = spanAt(openedAt);
  const known = spans.find((entry) => entry[0] === span) ?? ([span, 0, 0, 0] as const);
  const counted: UseSpan = [span, known[1] + opened, known[2] + used, sentIn(known) + sent];
  return [...spans.filter((entry) => entry[0] !== span && entry[0] > spanAt(now) - spansKept), counted];
}

/** Without one message that was counted at that time. A span that is no longer kept has forgotten it. */
export function takeFromUse(spans: readonly UseSpan[], at: number, opened: boolean): UseSpan[] {
  return changeSpan(spans, at, (span) => [
    span[0],
    Math.max(0, span[1] - (opened ? 1 : 0)),
    span[2],
    Math.max(0, sentIn(span) - 1),
  ]);
}

/** With one more code that was sent late. It is not part of a burst, so it does not count among the messages. */
export function addOpened(spans: readonly UseSpan[], at: number, opened: boolean): UseSpan[] {
  return changeSpan(spans, at, (span) => [span[0], span[1] + (opened ? 1 : 0), span[2], sentIn(span)]);
}

function changeSpan(spans: readonly UseSpan[], at: number, change: (span: UseSpan) => UseSpan): UseSpan[] {
  return spans.map((span) => (span[0] === spanAt(at) ? change(span) : span));
}

function brakeExpiries({ policy, now }: SmsBrakeCheck): Required<Record<keyof BrakeIds, number>> {
  return {
    total: now + 2 * daySeconds * 1000,
    country: now + 2 * daySeconds * 1000,
    prefix: now + longestWindow(policy.perPrefix) * 1000,
    use: now + spansKept * spanSeconds * 1000,
  };
}

type UnusedRule = NonNullable<BrakePolicy['unused']>;

/**
 * Whether the rule `unused` refuses a message. In the first span in which it trips, no message passes. In later spans a few
 * messages pass. Each of their codes that is used lets more pass, in the ratio of unused to used codes that the rule allows.
 */
export function isSuspended(spans: readonly UseSpan[], rule: UnusedRule, now: number): boolean {
  if (!hasUnusedCodes(spans, rule, now)) return false;
  if (!hasUnusedCodes(spans, rule, now - spanSeconds * 1000)) return true;
  const current = spans.find((entry) => entry[0] === spanAt(now)) ?? ([spanAt(now), 0, 0, 0] as const);
  return sentIn(current) >= trickle + Math.floor((current[2] * rule.share) / (1 - rule.share));
}

/** Too few codes of the last hours were used, or a burst in the last minutes is too large to wait for their use. */
export function hasUnusedCodes(spans: readonly UseSpan[], { share, least }: UnusedRule, now: number): boolean {
  const current = spanAt(now);
  const known = spans.filter(([span]) => span <= current && span > current - spansKept);
  // Codes of the last two spans may still be used.
  const settled = known.filter(([span]) => span < current - 1);
  const fresh = known.filter(([span]) => span >= current - 1);
  const isUnused = (all: number, used: number, from: number) => from > 0 && all >= from && (all - used) / all > share;
  return (
    isUnused(
      sum(settled, ([, opened]) => opened),
      sum(settled, usedIn),
      least,
    ) || isUnused(sum(fresh, sentIn), sum(fresh, usedIn), burstFactor * least)
  );
}

/** Codes opened and used within the hours that the brake takes into account. */
export function recentUse(spans: readonly UseSpan[], now: number): { opened: number; used: number } {
  const recent = spans.filter(([span]) => span > spanAt(now) - spansKept);
  return { opened: sum(recent, ([, opened]) => opened), used: sum(recent, usedIn) };
}

function sum(spans: readonly UseSpan[], part: (span: UseSpan) => number): number {
  return spans.reduce((total, span) => total + part(span), 0);
}

function usedIn([, , used]: UseSpan): number {
  return used;
}

/** Spans that an older version wrote have no count of messages. The count of opened codes replaces it. */
function sentIn([, opened, , sent = opened]: UseSpan): number {
  return sent;
}

function spanAt(milliseconds: number): number {
  return Math.floor(milliseconds / 1000 / spanSeconds);
}
