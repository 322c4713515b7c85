// Notices that the data folder was moved away under a running service: open files follow it, and what is new would get lost.
import { existsSync } from 'node:fs';
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../config/config.ts';

/** The result throws if what was at its place when the service started is there no longer. A folder of the same name is another one. */
export function watchDataDir({ dataDir, databaseUrl }: Pick<Config, 'dataDir' | 'databaseUrl'>): () => Promise<void> {
  const places = [dataDir, ...(databaseUrl === undefined ? [join(dataDir, 'gatehouse.db')] : [])];
  const watched = places.filter((place) => existsSync(place));
  return async () => {
    for (const place of watched)
      await access(place).catch((cause: Error) => {
        throw Object.assign(new Error(`${place} is not at its place`, { cause }), { code: 'DATA_DIR_AWAY' });
      });
  };
}
