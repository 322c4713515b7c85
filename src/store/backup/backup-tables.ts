// Which tables go into a backup: what lasts. Whatever can be used once or ended is left out, so that no restore brings it back.
import { BackupError, type TableShape } from '../../backup/snapshot.ts';
import { type TableName, tables } from '../engine/schema.ts';

/** counted: made anew from the files that were kept. */
const backupPolicies = {
  // Comes first, so that a restore finds it without reading on.
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

/** Rows in one of these are somebody's; a receipt is left by every write, that of the doctor too. */
export const tablesThatMustBeEmpty = allTables.filter((table) => table !== 'receipts');

export const keptShapes: readonly TableShape[] = allTables
  .filter((table) => backupPolicies[table] === 'kept')
  .map((table) => ({ table, columns: tables[table].columns }));

/** What is counted, when all else is there. */
export const countUsage = `insert into file_usage (user_id, bytes, files)
  select user_id, sum(size), count(*) from files group by user_id`;

/** Names come from a file, and stand in statements as they are. */
export function plainNames({ table, columns }: TableShape): { table: string; columns: string[] } {
  const names = [table, ...Object.keys(columns)];
  if (!names.every((name) => /^[a-z_0-9]{1,60}$/.test(name))) throw new BackupError('The backup names an odd table.');
  return { table, columns: names.slice(1) };
}

export function notEmpty(table: string): BackupError {
  return new BackupError(
    `The database is not empty (${table} has rows). Restore into a new one: set DATA_DIR or DATABASE_URL to an empty place.`,
  );
}
