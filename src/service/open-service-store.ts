// Composition: opens the store of a service, which remembers its cluster and asks the storage whose database it may be.
import type { Config } from '../config/config.ts';
import { type OpenedStore, openStore } from '../store/open-store.ts';

export function openServiceStore(config: Config): Promise<OpenedStore> {
  let reading: Promise<() => Promise<string | undefined>> | undefined;
  return openStore({
    ...config,
    endsLeases: true,
    readMark: async () => {
      // Loaded only if it is needed: the store opens while the rest of the program loads.
      reading ??= import('./choose-blobs.ts').then(({ readMarkOf }) => readMarkOf(config));
      return (await reading)();
    },
  });
}
