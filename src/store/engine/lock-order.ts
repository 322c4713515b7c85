// The one order in which operations lock rows, and the tables whose new rows nobody else can make.
import type { TableName } from './schema.ts';

/**
 * Tables in the order in which an operation locks their rows; rows of one table in the order of their key. Two transactions that
 * keep to it never wait for each other in a circle. A table that is missing here does not compile.
 *
 * These count as locking, and are checked in tests (check-locks.ts):
 * - `select … for update`, and an update or a delete that chooses its rows by `lockedWhere`;
 * - not `skip locked`: it never waits. What it holds counts like any other lock;
 * - not a read without a lock, and not a second look at rows that the operation has locked already.
 *
 * An update or a delete locks in no order of its own, so its rows must be locked before or by `lockedWhere`.
 *
 * An insert waits only for another transaction that makes a row with the same key.
 * - `fresh`: a new row has an id that was just made, so an insert never waits and may come at any time.
 * - `shared`: two nodes may make the same row. An operation looks for it with a lock first; inserts follow in the order of tables.
 */
export const lockOrder = {
  challenges: 'shared',
  limits: 'shared',
  captchas: 'shared',
  users: 'shared',
  login_links: 'shared',
  sessions: 'fresh',
  file_usage: 'shared',
  idempotency_keys: 'shared',
  files: 'fresh',
  uploads: 'fresh',
  admins: 'fresh',
  signing_keys: 'shared',
  installation: 'shared',
  blob_sweeps: 'shared',
  orphans: 'shared',
  inbox: 'shared',
  outbox: 'fresh',
  webhooks: 'fresh',
  audit_events: 'fresh',
  receipts: 'fresh',
} as const satisfies Record<TableName, 'fresh' | 'shared'>;

export const tablesInLockOrder = Object.keys(lockOrder) as readonly TableName[];
