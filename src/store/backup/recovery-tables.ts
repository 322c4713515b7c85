// What recovery does with each table after a database was set back in time. Everything issued ends, because its end may be lost.
import { announceAgain } from '../../auth/identity/scheduled-phone.ts';
import { BackupError, type EndedCounts } from '../../backup/snapshot.ts';
import type { AuditKind } from '../../kernel/audit.ts';
import { newId } from '../../kernel/crypto/random.ts';
import type { TableName } from '../engine/schema.ts';

/** `parked`: not sent again, because it may have been sent before. An operator can replay it. */
const policies = {
  users: 'kept',
  files: 'kept',
  file_usage: 'kept',
  file_readers: 'kept',
  idempotency_keys: 'kept',
  limits: 'kept',
  captchas: 'kept',
  inbox: 'kept',
  audit_events: 'kept',
  receipts: 'kept',
  // They belong to the same time as the audit events.
  counters: 'kept',
  day_counts: 'kept',
  installation: 'kept',
  // What was deleted before the point of recovery stays deleted, and its bytes must still go.
  removals: 'kept',
  // A file that was stored since has its bytes under such an id, and another recovery may bring its record back.
  pending_files: 'emptied',
  // The sweep must see a blob without a record twice again, a day apart, before it removes the blob.
  blob_sweeps: 'emptied',
  orphans: 'emptied',
  node_standings: 'emptied',
  sessions: 'emptied',
  // Without the old keys every access token is invalid. The service creates a new key by itself.
  signing_keys: 'emptied',
  challenges: 'emptied',
  login_links: 'emptied',
  notice_links: 'emptied',
  admins: 'emptied',
  app_codes: 'emptied',
  // One that was withdrawn since would let the app in again.
  app_consents: 'emptied',
  // A key that was revoked since would be valid again.
  service_keys: 'emptied',
  // Positions after the point of recovery will be given anew, to other events.
  event_log: 'emptied',
  outbox: 'emptied',
  uploads: 'emptied',
  resumables: 'emptied',
  upload_parts: 'emptied',
  // A link that was revoked since would open the file again.
  file_links: 'emptied',
  webhooks: 'parked',
} as const satisfies Record<TableName, 'kept' | 'emptied' | 'parked'>;

export const emptiedTables = (Object.keys(policies) as TableName[]).filter((table) => policies[table] === 'emptied');

const kind: AuditKind = 'database.recovered';

export const texts = {
  // Before the sessions go: only they know the last use of an account that has been signed in for long.
  recordUses: `update users set seen_at = used.at
    from (select user_id, max(last_used_at) as at from sessions group by user_id) as used
    where users.id = used.user_id and coalesce(users.seen_at, users.created_at) < used.at`,
  lastRecovery: `select detail from audit_events where user_id is null and recipient is null and kind = '${kind}'
    order by id desc limit 1`,
  counts: `select (select count(*) from sessions where ended_at is null) as sessions,
    (select count(*) from admins where ended_at is null) as "adminSignIns",
    (select count(*) from service_keys where revoked_at is null) as "serviceKeys",
    (select count(*) from outbox where state <> 'parked') as messages,
    (select count(*) from webhooks where done_at is null) as webhooks,
    (select count(*) from users where next_phone_at is not null) as "phoneChanges"`,
  // A change may have been cancelled since, so it must not take effect before it was announced again.
  announcePhoneChanges: `update users set next_phone_at = ${announceAgain} where next_phone_at is not null`,
} as const;

export function isRecoveredTo(detail: unknown, to: string): boolean {
  return typeof detail === 'string' && (JSON.parse(detail) as { to?: unknown }).to === to;
}

/** Values in the order of id, kind, detail and created_at. */
export function recoveryEvent(to: string, now: number, ended: EndedCounts): [string, string, string, number] {
  return [newId(), kind, JSON.stringify({ to, ...ended }), now];
}

export function inUse(): BackupError {
  return new BackupError(
    'A service uses this database. Stop every node first: a running node still accepts tokens that the recovery must end. --force recovers anyway.',
  );
}
