// The order in which all operations lock rows, and which tables may get the same new row from two nodes.
import type { TableName } from './schema.ts';

/**
 * An operation locks tables in this order, and the rows of one table in key order. Two transactions that follow the order cannot
 * deadlock. A table that is missing here does not compile.
 *
 * Tests check the order (check-locks.ts). What counts as locking:
 * - `select … for update`, and an update or a delete that selects its rows with `lockedWhere`, count.
 * - `skip locked` does not count, because it never waits. The rows that it holds count like any other locked row.
 * - A read without a lock does not count, and neither does a second lock on rows that the operation has already locked.
 *
 * An update or a delete locks its rows in no defined order. Its rows must be locked before, or by `lockedWhere`.
 *
 * An insert waits only for another transaction that inserts the same key.
 * - `fresh`: a new row has a new id, so an insert never waits and may happen at any time.
 * - `shared`: two nodes may create the same row. An operation first looks for it with a lock, and inserts in table order.
 */
export const lockOrder = {
  challenges: 'shared',
  limits: 'shared',
  captchas: 'shared',
  users: 'shared',
  notice_links: 'fresh',
  login_links: 'shared',
  app_codes: 'fresh',
  app_consents: 'shared',
  sessions: 'fresh',
  file_usage: 'shared',
  idempotency_keys: 'shared',
  pending_files: 'fresh',
  files: 'fresh',
  file_links: 'fresh',
  file_readers: 'shared',
  uploads: 'fresh',
  resumables: 'fresh',
  upload_parts: 'fresh',
  removals: 'shared',
  admins: 'fresh',
  service_keys: 'fresh',
  signing_keys: 'shared',
  installation: 'shared',
  blob_sweeps: 'shared',
  orphans: 'shared',
  node_standings: 'fresh',
  counters: 'shared',
  day_counts: 'shared',
  inbox: 'shared',
  outbox: 'fresh',
  webhooks: 'fresh',
  event_log: 'shared',
  audit_events: 'fresh',
  receipts: 'fresh',
} as const satisfies Record<TableName, 'fresh' | 'shared'>;

export const tablesInLockOrder = Object.keys(lockOrder) as readonly TableName[];
