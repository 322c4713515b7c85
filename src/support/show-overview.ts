// Use case: show what happened on each of the last days, how much of today's text messages is spent, and which providers are left out.
import { showSpend } from '../abuse/show-spend.ts';
import { type LeftOutProvider, mergeStandings } from '../messages/delivery/node-standing.ts';
import { type CountKind, countKinds, dayOf, shownDays, writeDay } from './day-counts.ts';
import type { SupportDeps } from './deps.ts';

type Day = { readonly day: string } & Readonly<Record<CountKind, number>>;

type Overview = {
  /** Oldest first; the last one is today, in UTC. */
  readonly days: readonly Day[];
  readonly spend: {
    readonly sent: number;
    /** 0 means no limit and no count. */
    readonly most: number;
    readonly isSuspended: boolean;
    /** Countries for which the brake is on. */
    readonly suspendedCountries: readonly string[];
  };
  readonly leftOutProviders: readonly LeftOutProvider[];
};

type Deps = Pick<SupportDeps, 'dayCounts' | 'standings' | 'limits' | 'brake' | 'clock'>;

export async function showOverview(deps: Deps): Promise<Overview> {
  const now = deps.clock.now();
  const today = dayOf(now);
  const sinceDay = today - shownDays + 1;
  const [counts, { sent, most, isSuspended, countries }, standings] = await Promise.all([
    deps.dayCounts.readDayCounts({ sinceDay, now }),
    showSpend(deps),
    deps.standings.list({ now }),
  ]);
  const none = Object.fromEntries(countKinds.map((kind) => [kind, 0])) as Record<CountKind, number>;
  const days = Array.from({ length: shownDays }, (_, at) => {
    const day = sinceDay + at;
    const found = counts.filter((count) => count.day === day).map(({ kind, amount }) => [kind, amount] as const);
    return { day: writeDay(day), ...none, ...Object.fromEntries(found) };
  });
  const suspendedCountries = countries
    .filter(({ suspendedBy }) => suspendedBy !== undefined)
    .map(({ country }) => country);
  return {
    days,
    spend: { sent, most, isSuspended, suspendedCountries },
    leftOutProviders: mergeStandings(standings, now),
  };
}
