// What is known about the providers of this process: which it has, and which it leaves out and since when.

import { type Channel, channels } from '../channel.ts';
import type { ProviderChange } from './channel-providers.ts';
import type { Omission } from './node-standing.ts';

export type ProviderBoard = {
  readonly names: readonly Pick<Omission, 'channel' | 'provider'>[];
  note(change: ProviderChange): void;
  /** Delivery has ended: one that begins leaves nothing out. */
  clear(): void;
  list(): readonly Omission[];
};

export function createProviderBoard(given: Readonly<Record<Channel, readonly string[]>>): ProviderBoard {
  const omissions = new Map<string, Omission>();
  return {
    names: channels.flatMap((channel) => given[channel].map((provider) => ({ channel, provider }))),
    note: ({ state, ...change }) => {
      const { channel, provider, country = '' } = change;
      const key = `${channel} ${provider} ${country}`;
      const since = omissions.get(key)?.since ?? change.since;
      // A provider that fails as a whole is left out for no country alone.
      if (state === 'open' && country === '')
        for (const other of omissions.keys()) if (other.startsWith(key)) omissions.delete(other);
      if (state === 'closed') omissions.delete(key);
      else omissions.set(key, { ...change, since });
    },
    clear: () => omissions.clear(),
    list: () => [...omissions.values()],
  };
}
