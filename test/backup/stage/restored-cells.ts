// The values of a restored database, and what a value of each column must be, said apart from the program.
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

const id = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const phone = /^\+\d{4,18}$/;
const address = /^[!-?A-~]+@[a-z0-9-]+(\.[a-z0-9-]+)+$/i;
const whole = /^\d{1,15}$/;
const json = /^\{.*\}$/;

/** By table and column. Null is right in each of them. */
export const rightForms: Readonly<Record<string, RegExp>> = {
  'users.id': id,
  'users.phone': phone,
  'users.email': address,
  'users.email_key': address,
  'users.blocked_at': whole,
  'users.created_at': whole,
  'users.next_phone': phone,
  'users.next_phone_language': /^[a-z]{2,3}(-\w{2,8}){0,2}$/,
  'users.external_id': /^[^\p{Cc}]{1,510}$/u,
  'users.claims': json,
  'files.id': /^fil_[\w-]{22}$/,
  'files.user_id': id,
  'files.purpose': /^[a-z][a-z0-9_-]{0,31}$/,
  'files.name': /^[^/\p{Cc}]+$/u,
  'files.type': /^(image|audio|video|application)\/[a-z0-9.-]+$|^text\/(plain|csv)$/,
  'files.size': whole,
  'files.charset': /^[a-z0-9_-]{1,40}$/,
  'files.created_at': whole,
  'audit_events.kind': /^[a-z-]+\.[a-z-]+$/,
  'audit_events.recipient': /^\P{Cc}{1,300}$/u,
  'audit_events.detail': json,
  'audit_events.created_at': whole,
  'audit_events.order_no': whole,
};

/** The values of a column that are there and have another form. */
export function wrongCells(dataDir: string, place: string): unknown[] {
  const [table, column] = place.split('.');
  const db = new DatabaseSync(join(dataDir, 'gatehouse.db'), { readOnly: true });
  try {
    const rows = db.prepare(`select ${column} as cell from ${table} where ${column} is not null`).all();
    return rows.map(({ cell }) => cell).filter((cell) => rightForms[place]?.test(String(cell)) !== true);
  } finally {
    db.close();
  }
}
