// Opens the store that the settings choose: PostgreSQL by its URL, else SQLite in the data folder.
import { join } from 'node:path';
import type { Store } from './engine/store.ts';

export type { MigrationState } from './engine/store.ts';

export type StoreChoice = {
  readonly databaseUrl: string | undefined;
  /** Connections to PostgreSQL that a process may have, half of them, up to eight, for the delivery. */
  readonly databasePool: number;
  readonly dataDir: string;
  readonly webhooks: { readonly endpoints: readonly { readonly id: string }[] };
};

/** A store whose troubles can be listened to once someone is there to hear of them. */
export type OpenedStore = Store & { watch(onTrouble: (error: Error) => void): void };

/** Drivers are loaded only when they are used. */
export async function openStore({ databaseUrl, databasePool, dataDir, webhooks }: StoreChoice): Promise<OpenedStore> {
  const endpoints = webhooks.endpoints.map(({ id }) => id);
  let report: (error: Error) => void = () => undefined;
  const onTrouble = (error: Error) => report(error);
  const watch = (listener: (error: Error) => void) => {
    report = listener;
  };
  if (databaseUrl !== undefined) {
    const { openPostgresStore } = await import('./postgres/postgres.ts');
    const connections = databasePool - deliveryConnections(databasePool);
    return { ...(await openPostgresStore(databaseUrl, onTrouble, endpoints, connections)), watch };
  }
  const { openSqliteStore } = await import('./sqlite/sqlite.ts');
  return { ...(await openSqliteStore(join(dataDir, 'gatehouse.db'), onTrouble, endpoints)), watch };
}

export function deliveryConnections(databasePool: number): number {
  return Math.min(8, Math.floor(databasePool / 2));
}
