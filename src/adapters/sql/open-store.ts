// Opens the store that the settings choose: PostgreSQL by its URL, else SQLite in the data folder.
import { join } from 'node:path';
import type { Store } from './store.ts';

export type StoreChoice = { readonly databaseUrl: string | undefined; readonly dataDir: string };

/** Drivers are loaded only when they are used. */
export async function openStore(
  { databaseUrl, dataDir }: StoreChoice,
  onTrouble: (error: Error) => void,
): Promise<Store> {
  if (databaseUrl !== undefined) {
    const { openPostgresStore } = await import('./postgres.ts');
    return openPostgresStore(databaseUrl, onTrouble);
  }
  const { openSqliteStore } = await import('./sqlite.ts');
  return openSqliteStore(join(dataDir, 'gatehouse.db'), onTrouble);
}
