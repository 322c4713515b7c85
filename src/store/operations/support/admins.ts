// Sign-ins of the support staff in the store: issued, entered once, used, ended.

import type { DatedEvent } from '../../../kernel/audit.ts';
import { findWord } from '../../../kernel/text/closed-list.ts';
import {
  type Admin,
  type AdminDraft,
  type AdminEnding,
  type AdminRecord,
  adminEndedEvent,
  adminEnds,
  canEnd,
  canEnter,
  enteredEvent,
  issuedEvent,
  usedAt,
} from '../../../support/staff/admin.ts';
import { readRole } from '../../../support/staff/staff-role.ts';
import { insert, openRows } from '../../engine/rows.ts';
import type { Row } from '../../engine/schema.ts';
import { sql } from '../../engine/sql.ts';
import { statement } from '../../engine/statement.ts';
import { operation, reading } from '../../engine/transaction.ts';
import { writeAudit } from '../audit.ts';

export const issue = operation(async (transaction, inputs: readonly AdminDraft[]) => {
  const rows = inputs.map(({ id, name, role, linkHash, createdAt, linkEndsAt, endsAt }) => ({
    id,
    name,
    role,
    link_hash: linkHash,
    session_hash: null,
    created_at: createdAt,
    link_ends_at: linkEndsAt,
    ends_at: endsAt,
    last_used_at: null,
    ended_at: null,
    end_reason: null,
  }));
  await insert(transaction, 'admins', rows);
  await writeAudit(transaction, inputs.map(issuedEvent));
  return inputs.map(() => undefined);
});

type Entry = { readonly linkHash: string; readonly sessionHash: string; readonly now: number };

export const enter = operation(async (transaction, inputs: readonly Entry[]): Promise<(Admin | undefined)[]> => {
  const admins = await openRows(
    transaction,
    'admins',
    'link_hash',
    inputs.map((input) => input.linkHash),
  );
  const events: DatedEvent[] = [];
  const outputs = inputs.map(({ linkHash, sessionHash, now }) => {
    const row = admins.get(linkHash);
    if (row === undefined || !canEnter(toRecord(row), now)) return undefined;
    admins.put({ ...row, session_hash: sessionHash, last_used_at: now });
    const admin = { id: row.id, name: row.name, role: readRole(row.role), endsAt: row.ends_at };
    events.push(enteredEvent(admin, now));
    return admin;
  });
  await Promise.all([admins.save(), writeAudit(transaction, events)]);
  return outputs;
});

export const find = reading(async (transaction, hashes: readonly string[]): Promise<(AdminRecord | undefined)[]> => {
  const admins = await openRows(transaction, 'admins', 'session_hash', hashes);
  return hashes.map((hash) => {
    const row = admins.get(hash);
    return row && toRecord(row);
  });
});

export const touch = operation(async (transaction, inputs: readonly { id: string; now: number }[]) => {
  const admins = await openRows(
    transaction,
    'admins',
    'id',
    inputs.map((input) => input.id),
  );
  for (const { id, now } of inputs) {
    const row = admins.get(id);
    if (row !== undefined) admins.put({ ...row, last_used_at: usedAt(toRecord(row), now) });
  }
  await admins.save();
  return inputs.map(() => undefined);
});

export const end = operation(async (transaction, inputs: readonly AdminEnding[]): Promise<boolean[]> => {
  const admins = await openRows(
    transaction,
    'admins',
    'id',
    inputs.map((input) => input.id),
  );
  const events: DatedEvent[] = [];
  const outputs = inputs.map((input) => {
    const row = admins.get(input.id);
    const admin = row && toRecord(row);
    if (row === undefined || admin === undefined || !canEnd(admin)) return false;
    admins.put({ ...row, ended_at: input.now, end_reason: input.reason });
    events.push(adminEndedEvent(admin, input));
    return true;
  });
  await Promise.all([admins.save(), writeAudit(transaction, events)]);
  return outputs;
});

export const list = reading(async (transaction, inputs: readonly number[]): Promise<AdminRecord[][]> => {
  const outputs: AdminRecord[][] = [];
  for (const most of inputs) outputs.push((await transaction.all(newest, { most })).map(toRecord));
  return outputs;
});

export const hasAny = reading(async (transaction, inputs: readonly null[]): Promise<boolean[]> => {
  const found = await transaction.all(newest, { most: 1 });
  return inputs.map(() => found.length > 0);
});

const newest = statement<Row<'admins'>>(
  ({ all, value }) => sql`select ${all('admins')} from admins order by id desc limit ${value('most')}`,
);

function toRecord(row: Row<'admins'>): AdminRecord {
  return {
    id: row.id,
    name: row.name,
    role: readRole(row.role),
    createdAt: row.created_at,
    linkEndsAt: row.link_ends_at,
    endsAt: row.ends_at,
    lastUsedAt: row.last_used_at ?? undefined,
    endedAt: row.ended_at ?? undefined,
    endReason: findWord(adminEnds, row.end_reason ?? ''),
  };
}
