// What is known about the providers of this process: which are taken, and which are left out and since when.
import type { Channel } from './outbox.ts';
import type { ProviderChange } from './provider-line.ts';
import type { ProviderState } from './provider-place.ts';

export type ProviderStanding = {
  readonly channel: Channel;
  readonly provider: string;
  readonly state: ProviderState;
  /** Countries for which alone it is left out. */
  readonly countries: readonly string[];
  readonly since: number | undefined;
};

export type ProviderBoard = {
  note(change: ProviderChange): void;
  list(): ProviderStanding[];
};

export function createProviderBoard(names: Readonly<Record<Channel, readonly string[]>>): ProviderBoard {
  const standings = new Map<string, ProviderStanding>();
  for (const channel of ['sms', 'mail'] as const)
    for (const provider of names[channel])
      standings.set(`${channel} ${provider}`, { channel, provider, state: 'closed', countries: [], since: undefined });
  return {
    note: ({ channel, provider, country, state, since }) => {
      const key = `${channel} ${provider}`;
      const before = standings.get(key);
      if (before === undefined) return;
      // A provider that is left out as a whole is left out for no country alone.
      if (country === undefined)
        standings.set(key, { ...before, state, since, countries: state === 'open' ? [] : before.countries });
      else {
        const others = before.countries.filter((one) => one !== country);
        standings.set(key, { ...before, countries: state === 'closed' ? others : [...others, country].toSorted() });
      }
    },
    list: () => [...standings.values()],
  };
}
