// The types and lookups that come from the tables: rows, columns, keys.

import type { SessionId } from '../../auth/sessions/session-id.ts';
import type { ReservationId } from '../../files/stored-file.ts';
import type { RemovalId } from '../../files/sweeps/removal-queue.ts';
import type { FileId, UploadId, UserId } from '../../kernel/ids.ts';
import type { EmailAddress, EmailKey, PhoneNumber } from '../../kernel/recipient.ts';
import { type ColumnKind, tables } from './tables.ts';

export type TableName = keyof typeof tables;

type ValueOf<Kind> = Kind extends 'text'
  ? string
  : Kind extends 'int'
    ? number
    : Kind extends 'text?'
      ? string | null
      : number | null;

/** Columns whose texts carry a meaning. The database is trusted: only branded texts, and ids that a restore has parsed, are written into them. */
type Branded = {
  users: { id: UserId; phone: PhoneNumber; next_phone: PhoneNumber; email: EmailAddress; email_key: EmailKey };
  login_links: { user_id: UserId; email_key: EmailKey };
  notice_links: { user_id: UserId; phone: PhoneNumber };
  sessions: { id: SessionId; user_id: UserId; parent_id: SessionId };
  app_codes: { user_id: UserId; parent_id: SessionId; session_id: SessionId };
  app_consents: { user_id: UserId };
  files: { id: FileId; user_id: UserId };
  file_links: { file_id: FileId; user_id: UserId };
  file_readers: { file_id: FileId; user_id: UserId };
  file_usage: { user_id: UserId };
  uploads: { id: ReservationId; user_id: UserId };
  resumables: { id: UploadId; user_id: UserId; file_id: FileId };
  upload_parts: { upload_id: UploadId };
  pending_files: { id: FileId };
  removals: { id: RemovalId };
  idempotency_keys: { file_id: FileId };
  orphans: { id: FileId };
  audit_events: { user_id: UserId };
};

type BrandOf<T, C> = T extends keyof Branded ? (C extends keyof Branded[T] ? Branded[T][C] : string) : string;

type WithBrand<Value, B> = Value extends string ? B : Value;

export type Row<T extends TableName> = {
  -readonly [C in keyof (typeof tables)[T]['columns']]: WithBrand<
    ValueOf<(typeof tables)[T]['columns'][C]>,
    BrandOf<T, C>
  >;
};

export type ColumnOf<T extends TableName> = keyof Row<T> & string;

export function columnsOf(table: TableName): string[] {
  return Object.keys(tables[table].columns);
}

export function keyOf(table: TableName): readonly string[] {
  return tables[table].key;
}

/** The array type that PostgreSQL needs for a column of input rows. */
export function arrayTypeOf(table: TableName, column: string): 'text[]' | 'int8[]' {
  const columns: Record<string, ColumnKind> = tables[table].columns;
  return columns[column]?.startsWith('int') ? 'int8[]' : 'text[]';
}
