// Opens the store that the settings name: PostgreSQL if there is a URL, otherwise SQLite in the data folder.
import { join } from 'node:path';
import type { ClusterView } from './postgres/cluster.ts';
import type { MigrationState, Store } from './store.ts';

export type { ClusterView as DatabaseCluster } from './postgres/cluster.ts';
export type { MigrationState } from './store.ts';

/** A server of DATABASE_URL, and what it says about itself. */
export type DatabaseServer = ClusterView['servers'][number];

type StoreChoice = {
  readonly databaseUrl: string | undefined;
  /** Its password is read again from here for new connections. */
  readonly databaseUrlFile?: string | undefined;
  /** Maximum number of PostgreSQL connections per process. Half of them, at most eight, are for delivery. */
  readonly databasePool: number;
  readonly dataDir: string;
  /** False for a program that must stay small: the mapped pages of SQLite count as its memory. */
  readonly mapsFile?: boolean;
  /** True for a service. It sends messages, those of a killed one too, and remembers the cluster of PostgreSQL; a command does not. */
  readonly endsLeases?: boolean;
  /** Reads the installation id of the storage. A service follows no PostgreSQL of another installation. */
  readonly readMark?: () => Promise<string | undefined>;
  readonly webhooks: { readonly endpoints: readonly { readonly id: string }[] };
};

/** A store whose errors a listener can watch. The listener can be set after the store is open. */
export type OpenedStore = Store & {
  watch(onTrouble: (error: Error) => void): void;
  /** Given if no other process had the database at this time: what processes left before it is nobody's work. */
  readonly aloneSince?: number;
};

/** Drivers are loaded only when they are used. */
export async function openStore(choice: StoreChoice): Promise<OpenedStore> {
  const { databaseUrl, databaseUrlFile, databasePool, dataDir, mapsFile = true, endsLeases = false, readMark } = choice;
  const endpoints = choice.webhooks.endpoints.map(({ id }) => id);
  let report: (error: Error) => void = () => undefined;
  const onTrouble = (error: Error) => report(error);
  const watch = (listener: (error: Error) => void) => {
    report = listener;
  };
  if (databaseUrl !== undefined) {
    const { openPostgresStore } = await import('./postgres/postgres.ts');
    const connections = databasePool - deliveryConnections(databasePool);
    const place = { url: databaseUrl, urlFile: databaseUrlFile, dataDir, isService: endsLeases, readMark };
    return { ...(await openPostgresStore(place, onTrouble, endpoints, connections)), watch };
  }
  const { openSqliteStore } = await import('./sqlite/sqlite.ts');
  const file = join(dataDir, 'gatehouse.db');
  // Before the file is looked at: from then on another process may open it, and begin to work.
  const aloneSince = Date.now();
  const isAlone = endsLeases && (await import('./sqlite/sqlite-leases.ts')).endLeasesIfAlone(file);
  const store = await openSqliteStore(file, onTrouble, endpoints, false, mapsFile);
  return { ...store, watch, ...(isAlone && { aloneSince }) };
}

/** Of a database that does not exist yet. */
export async function listMigrations(): Promise<MigrationState[]> {
  const { migrations } = await import('./migrations/all.ts');
  return migrations.map(({ name }) => ({ name, isApplied: false }));
}

export function deliveryConnections(databasePool: number): number {
  return Math.min(8, Math.floor(databasePool / 2));
}
