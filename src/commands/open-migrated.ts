// Opens the store for a command: only one that is there, answers, and has the tables that this program knows.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type OpenedStore, openStore } from '../adapters/sql/open-store.ts';
import type { Config } from '../config/config.ts';
import { Trouble } from './trouble.ts';

/** A mistyped DATA_DIR must not make a new database, and a command must not run on tables it does not know. */
export async function openMigrated(config: Config): Promise<OpenedStore> {
  const { databaseUrl, dataDir } = config;
  if (databaseUrl === undefined && !existsSync(join(dataDir, 'gatehouse.db')))
    throw new Trouble(
      `There is no database in ${dataDir}. Set DATA_DIR as the service has it, or start the service once.`,
    );
  const unreachable = ({ message }: Error): never => {
    throw new Trouble(`The database cannot be reached: ${message}`);
  };
  const store = await openStore(config).catch(unreachable);
  try {
    const status = await store.migrations.status().catch(unreachable);
    const missing = status.filter((migration) => !migration.isApplied);
    if (missing.length > 0)
      throw new Trouble('The database is older than this program. Run gatehouse migrate up first.');
    return store;
  } catch (error) {
    await store.close();
    throw error;
  }
}
