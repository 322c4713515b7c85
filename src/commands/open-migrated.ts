// Opens the store for a command, or explains why it cannot be used and what to do.
import type { Config } from '../config/config.ts';
import { describeDatabaseProblem, noTables } from '../kernel/net/database-problem.ts';
import { type OpenedStore, openStore } from '../store/open-store.ts';
import { claimFolder } from './claim-data-dir.ts';
import { CommandError } from './command-error.ts';
import { isDatabaseMissing } from './name-places.ts';

/** A mistyped DATA_DIR must not create a new database, and a command must not run on tables that it does not know. */
export async function openMigrated(config: Config): Promise<OpenedStore> {
  const store = await openExisting(config);
  try {
    const status = await store.migrations.status().catch(unreachable(config));
    if (config.databaseUrl !== undefined && status.every(({ isApplied }) => !isApplied)) throw withoutTables();
    const missing = status.filter((migration) => !migration.isApplied);
    if (missing.length > 0)
      throw new CommandError('The database is older than this program. Run gatehouse migrate up first.');
    return store;
  } catch (error) {
    await store.close();
    throw error;
  }
}

function withoutTables(): CommandError {
  const [cause, cure] = noTables;
  return new CommandError(`Nothing was done: ${cause}. To cure it: ${cure}.`);
}

/** The database may be of any version, and read-only. */
export async function openExisting(config: Config): Promise<OpenedStore> {
  if (isDatabaseMissing(config))
    throw new CommandError(
      `There is no database in ${config.dataDir}. Name the settings of the service with --env-file FILE, or start the service once.`,
    );
  return openReachable(config);
}

export async function openReachable(config: Config): Promise<OpenedStore> {
  try {
    if (config.databaseUrl === undefined) claimFolder(config.dataDir);
    // A command may read the whole database. Its memory must not grow with it.
    return await openStore({ ...config, mapsFile: false });
  } catch (error) {
    return unreachable(config)(error as Error);
  }
}

export function unreachable({ databaseUrl, dataDir }: Config): (error: Error) => never {
  return (error) => {
    if (databaseUrl === undefined)
      throw new CommandError(
        `The database cannot be reached: ${error.message}. Does DATA_DIR=${dataDir} name the right folder?`,
      );
    const { place, cause, cure } = describeDatabaseProblem(databaseUrl, error);
    throw new CommandError(`The database cannot be reached: PostgreSQL at ${place}: ${cause}. To cure it: ${cure}.`);
  };
}
