// Which tables a backup contains: lasting data only. A restore must not bring back sessions, codes or anything else that can end.
import { BackupError, type TableShape } from '../../backup/snapshot.ts';
import { type TableName, tables } from '../engine/schema.ts';

/** `counted`: computed again from the rows of `files`. */
const backupPolicies = {
  // First, so that a restore finds it at the start of the backup.
  installation: 'kept',
  users: 'kept',
  files: 'kept',
  limits: 'kept',
  audit_events: 'kept',
  file_usage: 'counted',
  sessions: 'left out',
  signing_keys: 'left out',
  challenges: 'left out',
  login_links: 'left out',
  captchas: 'left out',
  outbox: 'left out',
  inbox: 'left out',
  uploads: 'left out',
  idempotency_keys: 'left out',
  webhooks: 'left out',
  receipts: 'left out',
  blob_sweeps: 'left out',
  orphans: 'left out',
  admins: 'left out',
} as const satisfies Record<TableName, 'kept' | 'counted' | 'left out'>;

export const pageRows = 1000;

const allTables = Object.keys(backupPolicies) as TableName[];

/** A row in one of these tables is real data. Receipts do not count: every write leaves one, even a write of the doctor command. */
export const tablesThatMustBeEmpty = allTables.filter((table) => table !== 'receipts');

export const keptShapes: readonly TableShape[] = allTables
  .filter((table) => backupPolicies[table] === 'kept')
  .map((table) => ({ table, columns: tables[table].columns }));

/** Fills the counted table. Runs after all rows of `files` are in place. */
export const countUsage = `insert into file_usage (user_id, bytes, files)
  select user_id, sum(size), count(*) from files group by user_id`;

/** The names come from a file and go into statements unescaped, so only plain names are accepted. */
export function plainNames({ table, columns }: TableShape): { table: string; columns: string[] } {
  const names = [table, ...Object.keys(columns)];
  if (!names.every((name) => /^[a-z_0-9]{1,60}$/.test(name)))
    throw new BackupError('The backup contains an invalid table or column name.');
  return { table, columns: names.slice(1) };
}

export function notEmpty(table: string): BackupError {
  return new BackupError(
    `The database is not empty (${table} has rows). Set DATA_DIR to an empty folder or DATABASE_URL to an empty database.`,
  );
}
