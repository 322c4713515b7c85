// The types and lookups that come from the tables: rows, columns, keys.

import type { EmailAddress, EmailKey } from '../../auth/identity/email-address.ts';
import type { PhoneNumber } from '../../auth/identity/phone-number.ts';
import type { SessionId } from '../../auth/sessions/session-id.ts';
import { type ColumnKind, tables } from './tables.ts';

export type TableName = keyof typeof tables;

type ValueOf<Kind> = Kind extends 'text'
  ? string
  : Kind extends 'int'
    ? number
    : Kind extends 'text?'
      ? string | null
      : number | null;

/** Columns whose texts carry a meaning. The database is trusted: only branded texts are written into them. */
type Branded = {
  users: { phone: PhoneNumber; next_phone: PhoneNumber; email: EmailAddress; email_key: EmailKey };
  login_links: { email_key: EmailKey };
  notice_links: { phone: PhoneNumber };
  sessions: { id: SessionId; parent_id: SessionId };
  app_codes: { parent_id: SessionId; session_id: SessionId };
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
