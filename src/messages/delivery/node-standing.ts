// What a node leaves out of the providers of messages: noted in the store for a short time, and merged into one list for all readers.
import type { Channel } from '../channel.ts';

/** A provider that one process leaves out. `country`: only there. */
export type Omission = {
  readonly channel: Channel;
  readonly provider: string;
  readonly country?: string;
  readonly since: number;
};

export type NodeStanding = { readonly node: string; readonly omissions: readonly Omission[]; readonly seenAt: number };

export type StandingStore = {
  /** Replaces the standing of the node; one without omissions is not kept. Forgets nodes that were not seen for a day. */
  note(standing: NodeStanding): Promise<void>;
  /** Those that count now. */
  list(input: { readonly now: number }): Promise<NodeStanding[]>;
};

export type LeftOutProvider = {
  readonly channel: Channel;
  readonly provider: string;
  /** Left out for these alone. Empty: for all. */
  readonly countries: readonly string[];
  readonly nodes: number;
  /** When the first of these nodes left it out. */
  readonly since: number;
};

/** A node that ended without a word counts for so long. One that runs notes its standing several times in it. */
const lifeMilliseconds = 30_000;
const keptMilliseconds = 86_400_000;

/** Whether a standing counts. A clock that was set back lets it live no longer. */
export function isCurrent({ seenAt }: Pick<NodeStanding, 'seenAt'>, now: number): boolean {
  return Math.abs(now - seenAt) < lifeMilliseconds;
}

/** Between these times, without them, are those that count. */
export function currentAround(now: number): { readonly since: number; readonly until: number } {
  return { since: now - lifeMilliseconds, until: now + lifeMilliseconds };
}

/** Standings of an earlier time than this go. */
export function keptSince(now: number): number {
  return now - keptMilliseconds;
}

/** Nodes may differ, so a provider is listed twice if some leave it out for all and some for countries. */
export function mergeStandings(standings: readonly NodeStanding[], now: number): LeftOutProvider[] {
  const all = standings
    .filter((standing) => isCurrent(standing, now))
    .flatMap(({ node, omissions }) => omissions.map((omission) => ({ node, ...omission })));
  const scopes = Map.groupBy(all, ({ channel, provider, country }) =>
    [channel, provider, country === undefined ? 'all' : 'countries'].join(' '),
  );
  return [...scopes.keys()].toSorted().flatMap((scope) => toLeftOut(scopes.get(scope) ?? []));
}

function toLeftOut(omissions: readonly (Omission & Pick<NodeStanding, 'node'>)[]): LeftOutProvider[] {
  return omissions.slice(0, 1).map(({ channel, provider }) => ({
    channel,
    provider,
    countries: [...new Set(omissions.flatMap(({ country }) => country ?? []))].toSorted(),
    nodes: new Set(omissions.map(({ node }) => node)).size,
    since: Math.min(...omissions.map(({ since }) => since)),
  }));
}
