// Composition: opens the configured database for backup, restore and recovery. Drivers are loaded only when they are used.
import { join } from 'node:path';
import type { EmptyStore, RecoverableStore, Snapshot } from '../backup/snapshot.ts';
import type { Config } from '../config/config.ts';
import { keptSchema } from '../store/backup/backup-tables.ts';
import { migrations } from '../store/migrations/all.ts';

/** What the tables of a backup may hold. */
export const backupSchema = keptSchema;

type Place = Pick<Config, 'databaseUrl' | 'dataDir'>;

/** `workFolder` holds a copy of the database until the snapshot is closed (SQLite only). */
export async function openSnapshot({ databaseUrl, dataDir }: Place, workFolder: string): Promise<Snapshot> {
  if (databaseUrl !== undefined) {
    const { openPostgresSnapshot } = await import('../store/backup/backup-postgres.ts');
    return openPostgresSnapshot({ url: databaseUrl, dataDir });
  }
  const { openSqliteSnapshot } = await import('../store/backup/backup-sqlite.ts');
  return openSqliteSnapshot(join(dataDir, 'gatehouse.db'), workFolder);
}

export async function openEmptyStore({ databaseUrl, dataDir }: Place): Promise<EmptyStore> {
  const knowsMigration = (name: string) => migrations.some((migration) => migration.name === name);
  if (databaseUrl !== undefined) {
    const { fillPostgres, refusePostgresRows } = await import('../store/backup/backup-postgres.ts');
    return {
      schema: keptSchema,
      knowsMigration,
      refuseRows: () => refusePostgresRows(databaseUrl),
      fill: (names, pages) => fillPostgres(databaseUrl, names, pages),
    };
  }
  const path = join(dataDir, 'gatehouse.db');
  const { fillSqlite, refuseSqliteRows } = await import('../store/backup/backup-sqlite.ts');
  return {
    schema: keptSchema,
    knowsMigration,
    refuseRows: () => refuseSqliteRows(path),
    fill: (names, pages) => fillSqlite(path, names, pages),
  };
}

export async function openSetBackStore({ databaseUrl, dataDir }: Place): Promise<RecoverableStore> {
  if (databaseUrl !== undefined) {
    const { openSetBackPostgres } = await import('../store/backup/recover-postgres.ts');
    return openSetBackPostgres({ url: databaseUrl, dataDir });
  }
  const { openSetBackSqlite } = await import('../store/backup/recover-sqlite.ts');
  return openSetBackSqlite(join(dataDir, 'gatehouse.db'));
}
