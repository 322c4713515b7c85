// Which tables a backup contains: lasting data only. A restore must not bring back sessions, codes or anything else that can end.
import { announceAgain } from '../../auth/identity/scheduled-phone.ts';
import { quote } from '../../backup/finding.ts';
import { BackupError, type BackupSchema, type Form, type Rows, type TableShape } from '../../backup/snapshot.ts';
import type { ColumnOf, TableName } from '../engine/schema.ts';
import { tables } from '../engine/tables.ts';
import { rowForms } from './row-forms.ts';

/** `counted`: computed again from the rows of `files`. */
const backupPolicies = {
  // First, so that a restore finds it at the start of the backup.
  installation: 'kept',
  users: 'kept',
  files: 'kept',
  file_readers: 'kept',
  limits: 'kept',
  audit_events: 'kept',
  file_usage: 'counted',
  sessions: 'left out',
  signing_keys: 'left out',
  challenges: 'left out',
  login_links: 'left out',
  notice_links: 'left out',
  captchas: 'left out',
  outbox: 'left out',
  inbox: 'left out',
  uploads: 'left out',
  resumables: 'left out',
  upload_parts: 'left out',
  // A backup has no bytes of what was deleted or in the making.
  pending_files: 'left out',
  removals: 'left out',
  // A link that was revoked since would open the file again.
  file_links: 'left out',
  idempotency_keys: 'left out',
  webhooks: 'left out',
  receipts: 'left out',
  blob_sweeps: 'left out',
  orphans: 'left out',
  node_standings: 'left out',
  // Counted again from the audit events.
  counters: 'left out',
  day_counts: 'left out',
  admins: 'left out',
  app_codes: 'left out',
  app_consents: 'left out',
  service_keys: 'left out',
  event_log: 'left out',
} as const satisfies Record<TableName, 'kept' | 'counted' | 'left out'>;

type KeptTable = {
  [Table in TableName]: (typeof backupPolicies)[Table] extends 'kept' ? Table : never;
}[TableName];

/** A new column compiles only when its form is decided. */
const forms: { readonly [Table in KeptTable]: Readonly<Record<ColumnOf<Table>, Form>> } = rowForms;

export const pageRows = 1000;

const allTables = Object.keys(backupPolicies) as TableName[];

/** A row in one of these tables is real data. Receipts do not count: every write leaves one, even a write of the doctor command. */
export const tablesThatMustBeEmpty = allTables.filter((table) => table !== 'receipts');

const keptTables = allTables.filter(isKept);

function isKept(table: TableName): table is KeptTable {
  return backupPolicies[table] === 'kept';
}

export const keptShapes: readonly TableShape[] = keptTables.map((table) => ({
  table,
  columns: tables[table].columns,
}));

export const keptSchema: BackupSchema = keptTables.map((table) => ({
  table,
  key: tables[table].key,
  columns: tables[table].columns,
  forms: forms[table],
}));

/** Fills the counted table. Runs after all rows of `files` are in place. */
export const countUsage = `insert into file_usage (user_id, bytes, files)
  select user_id, sum(size), count(*) from files group by user_id`;

/**
 * The rows as a restore writes them. A scheduled change of a phone number may have been cancelled since the backup, and the links
 * of its notices are gone, so it must be announced again.
 */
export function asRestored({ table, columns }: TableShape, rows: Rows): Rows {
  const at = Object.keys(columns).indexOf('next_phone_at');
  if (table !== 'users' || at < 0) return rows;
  return rows.map((row) => (row[at] === null ? row : row.with(at, announceAgain)));
}

/** The names come from a file and go into statements unescaped, so only plain names are accepted. */
export function plainNames({ table, columns }: TableShape): { table: string; columns: string[] } {
  const names = [table, ...Object.keys(columns)];
  if (!names.every((name) => /^[a-z_0-9]{1,60}$/.test(name)))
    throw new BackupError('The backup contains an invalid table or column name.');
  return { table, columns: names.slice(1) };
}

/** Selects the rows to keep. A backup contains no sessions, so the last use of an account goes with its user. */
export function selectOf({ table, columns }: { table: string; columns: readonly string[] }): string {
  if (table !== 'users') return `select ${columns.join(', ')} from ${table}`;
  const values = columns.map((column) => (column === 'seen_at' ? lastUse : `users.${column}`));
  return `select ${values.join(', ')} from users
    left join (select user_id, max(last_used_at) as at from sessions group by user_id) as used on used.user_id = users.id`;
}

const lastUse = `case when used.at > coalesce(users.seen_at, users.created_at) then used.at else users.seen_at end as seen_at`;

/** `reason` is what the database says: which rule the row breaks. */
export function notAccepted(table: string, reason: string): BackupError {
  return new BackupError(
    `The backup cannot be used: the database does not accept a row of ${table} (${quote(reason)}).`,
  );
}

export function notEmpty(table: string): BackupError {
  return new BackupError(
    `The database is not empty (${table} has rows). Set DATA_DIR to an empty folder or DATABASE_URL to an empty database.`,
  );
}
