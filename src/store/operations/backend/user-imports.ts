// Importing users, many in one commit: each draft is matched with the users that have its values, and only adds what is missing.

import {
  completeUser,
  type DraftOwners,
  findConflict,
  type ImportBatch,
  type ImportOutcome,
  importedEvents,
  matchDraft,
  type UserDraft,
} from '../../../backend/import-user.ts';
import type { UserId } from '../../../kernel/ids.ts';
import { insert, openRows, update } from '../../engine/rows.ts';
import type { Row } from '../../engine/schema.ts';
import { sql } from '../../engine/sql.ts';
import { statement } from '../../engine/statement.ts';
import { operation, reading, type Transaction } from '../../engine/transaction.ts';
import { writeAudit } from '../audit.ts';
import { importedColumnNames, importedColumns, importedUser, toImportedFields } from '../auth/identity/user-rows.ts';

export const importUsers = operation(
  async (transaction, batches: readonly ImportBatch[]): Promise<(readonly ImportOutcome[])[]> => {
    const users = await openDrafted(transaction, batches);
    const outcomes = batches.map(({ drafts }) => drafts.map(users.take));
    // In the order of a unique column, so that two nodes that insert the same users do not wait for each other.
    const created = [...users.created.values()].sort((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1));
    await insert(transaction, 'users', created);
    await update(transaction, 'users', [...users.completed.values()], importedColumnNames);
    const events = batches.flatMap((batch, index) => importedEvents(batch, outcomes[index] ?? []));
    if (events.length > 0) await writeAudit(transaction, events);
    return outcomes;
  },
);

export const previewImport = reading(
  async (transaction, batches: readonly ImportBatch[]): Promise<(readonly ImportOutcome[])[]> => {
    const outcomes: (readonly ImportOutcome[])[] = [];
    for (const batch of batches) {
      const users = await openDrafted(transaction, [batch]);
      outcomes.push(batch.drafts.map(users.take));
    }
    return outcomes;
  },
);

function orderOf({ phone, email_key, id }: Row<'users'>): string {
  return phone ?? email_key ?? id;
}

/** The users that the drafts belong to, locked, and what the drafts make of them. */
async function openDrafted(transaction: Transaction, batches: readonly ImportBatch[]) {
  const drafts = batches.flatMap((batch) => batch.drafts);
  const find = (owned: Owned, values: readonly (string | null)[]) => findOwners(transaction, owned, values);
  // Found without a lock, then locked together in the order of their ids. If a value finds an owner in between, the
  // database refuses the second owner and the operation runs again.
  const found = await Promise.all([
    find(
      'external_id',
      drafts.map(({ externalId }) => externalId),
    ),
    find(
      'phone',
      drafts.map(({ phone }) => phone),
    ),
    find(
      'email_key',
      drafts.map(({ emailKey }) => emailKey),
    ),
  ]);
  const ids = new Set([...drafts.map(({ id }) => id), ...found.flat()]);
  const locked = await openRows(transaction, 'users', 'id', ids);
  const rows = new Map<string, Row<'users'>>();
  const owners = {
    external_id: new Map<string, UserId>(),
    phone: new Map<string, UserId>(),
    email_key: new Map<string, UserId>(),
  };
  const note = (row: Row<'users'>) => {
    rows.set(row.id, row);
    for (const column of ownedColumns) {
      const value = row[column];
      if (value !== null) owners[column].set(value, row.id);
    }
  };
  for (const id of ids) {
    const row = locked.get(id);
    if (row !== undefined) note(row);
  }
  const created = new Map<string, Row<'users'>>();
  const completed = new Map<string, Row<'users'>>();
  const ownersOf = ({ id, externalId, phone, emailKey }: UserDraft): DraftOwners => ({
    id: rows.has(id) ? id : undefined,
    externalId: externalId === null ? undefined : owners.external_id.get(externalId),
    phone: phone === null ? undefined : owners.phone.get(phone),
    email: emailKey === null ? undefined : owners.email_key.get(emailKey),
  });
  return {
    created,
    completed,
    take: (draft: UserDraft): ImportOutcome => {
      const draftOwners = ownersOf(draft);
      const row = rows.get(matchDraft(draftOwners) ?? '');
      const fields = row && toImportedFields(row);
      const conflict = findConflict(draft, draftOwners, fields);
      if (conflict !== undefined) return conflict;
      if (row === undefined || fields === undefined) {
        const fresh = importedUser(draft);
        created.set(fresh.id, fresh);
        note(fresh);
        return 'created';
      }
      const whole = completeUser(fields, draft);
      if (whole === undefined) return 'unchanged';
      const next = { ...row, ...importedColumns(whole) };
      (created.has(row.id) ? created : completed).set(row.id, next);
      note(next);
      return 'completed';
    },
  };
}

const ownedColumns = ['external_id', 'phone', 'email_key'] as const;

type Owned = (typeof ownedColumns)[number];

const finders = {
  external_id: ownerFinder('external_id'),
  phone: ownerFinder('phone'),
  email_key: ownerFinder('email_key'),
};

/** Only the key: a repeated import finds a user by three values. */
function ownerFinder(column: Owned) {
  return statement<{ id: UserId }>(
    ({ isAmong }) =>
      sql`select id from users where ${isAmong('users', column, 'wanted')} and ${sql.ref(column)} is not null`,
  );
}

async function findOwners(
  transaction: Transaction,
  column: Owned,
  values: readonly (string | null)[],
): Promise<string[]> {
  const wanted = [...new Set(values)].filter((value) => value !== null).map((value) => ({ [column]: value }));
  if (wanted.length === 0) return [];
  return (await transaction.all(finders[column], { wanted })).map(({ id }) => id);
}
