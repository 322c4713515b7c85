// Use case: show today's counts of the SMS spending brake, and the countries for which it is on.
import type { Clock } from '../kernel/clock.ts';
import type { LimitStore } from './limit-store.ts';
import {
  type BrakePolicy,
  type BrakeRule,
  dayCounter,
  hasUnusedCodes,
  recentUse,
  type UseSpan,
  usageCounterId,
} from './sms-brake.ts';

type Deps = { readonly limits: LimitStore; readonly brake: BrakePolicy; readonly clock: Clock };

export type CountrySpend = {
  readonly country: string;
  readonly sent: number;
  readonly opened: number;
  readonly used: number;
  /** The rule that tripped the brake for this country. */
  readonly suspendedBy: Extract<BrakeRule, 'country' | 'unused'> | undefined;
};

/** `most` and `mostPerCountry` of 0 mean that there is no limit, and that nothing is counted for it. */
export type Spend = {
  readonly day: string;
  readonly sent: number;
  readonly most: number;
  readonly mostPerCountry: number;
  readonly isSuspended: boolean;
  readonly countries: readonly CountrySpend[];
};

const mostCounters = 500;

export async function showSpend({ limits, brake, clock }: Deps): Promise<Spend> {
  const now = clock.now();
  const total = dayCounter(now);
  const [counts, uses] = await Promise.all([
    limits.list({ prefix: total, most: mostCounters }),
    limits.list({ prefix: usageCounterId(''), most: mostCounters }),
  ]);
  const sentTo = new Map(counts.map(({ id, value }) => [id.slice(total.length + 1), value as number]));
  const spansOf = new Map(uses.map(({ id, value }) => [id.slice(usageCounterId('').length), value as UseSpan[]]));
  const names = [...new Set([...sentTo.keys(), ...spansOf.keys()])].filter((name) => name !== '').sort();
  const countries = names.map((country): CountrySpend => {
    const sent = sentTo.get(country) ?? 0;
    const spans = spansOf.get(country) ?? [];
    const isOverLimit = brake.perCountryPerDay > 0 && sent >= brake.perCountryPerDay;
    const isUnused = brake.unused !== undefined && hasUnusedCodes(spans, brake.unused, now);
    return {
      country,
      sent,
      ...recentUse(spans, now),
      suspendedBy: isOverLimit ? 'country' : isUnused ? 'unused' : undefined,
    };
  });
  const sent = sentTo.get('') ?? 0;
  return {
    day: new Date(now).toISOString().slice(0, 10),
    sent,
    most: brake.perDay,
    mostPerCountry: brake.perCountryPerDay,
    isSuspended: brake.perDay > 0 && sent >= brake.perDay,
    countries,
  };
}
