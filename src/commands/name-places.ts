// Says in one line which database and which storage the settings name. It contains no secret.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../config/config.ts';
import { describeDatabase } from '../kernel/net/database-url.ts';
import { nameStorage } from '../service/choose-blobs.ts';

type Places = Pick<Config, 'databaseUrl' | 'dataDir' | 'storage'>;

export function namePlaces(config: Places): string {
  return `Database: ${nameDatabase(config)} · Files: ${nameFiles(config)}`;
}

function sqlitePath({ dataDir }: Pick<Places, 'dataDir'>): string {
  return join(dataDir, 'gatehouse.db');
}

/** To open this database would create it. */
export function isDatabaseMissing({ databaseUrl, dataDir }: Pick<Places, 'databaseUrl' | 'dataDir'>): boolean {
  return databaseUrl === undefined && !existsSync(sqlitePath({ dataDir }));
}

function nameDatabase(config: Places): string {
  if (config.databaseUrl === undefined)
    return `${sqlitePath(config)} (${isDatabaseMissing(config) ? 'SQLite, does not exist yet' : 'SQLite'})`;
  return `PostgreSQL ${describeDatabase(config.databaseUrl)}`;
}

function nameFiles(config: Places): string {
  const { storage, dataDir } = config;
  if (storage === undefined) return `${join(dataDir, 'files')} (disk)`;
  const { prefix } = storage.query;
  const inside = prefix === undefined ? '' : ` under ${prefix}`;
  return `${nameStorage(config).title} ${storage.path.replace(/^\//, '')}${inside} on ${storage.host}`;
}
