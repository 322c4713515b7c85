// Service keys in the store: created, replaced, used, revoked.

import {
  draftOfRotation,
  isFull,
  keyCreatedEvent,
  keyOfDraft,
  keyRevokedEvent,
  mostLiveKeys,
  readScopes,
  revokeKey,
  type ServiceKey,
  type ServiceKeyCreation,
  type ServiceKeyDraft,
  type ServiceKeyRevocation,
  type ServiceKeyRotation,
  type StoredServiceKey,
  useOfKey,
} from '../../../backend/service-key.ts';
import type { DatedEvent } from '../../../kernel/audit.ts';
import { insert, openRows } from '../../engine/rows.ts';
import type { Row } from '../../engine/schema.ts';
import { sql } from '../../engine/sql.ts';
import { statement } from '../../engine/statement.ts';
import { operation, reading, type Transaction } from '../../engine/transaction.ts';
import { writeAudit } from '../audit.ts';

export const create = operation(
  (transaction, inputs: readonly ServiceKeyDraft[]): Promise<ServiceKeyCreation[]> => addKeys(transaction, inputs),
);

export const rotate = operation(
  async (transaction, inputs: readonly ServiceKeyRotation[]): Promise<(ServiceKeyCreation | undefined)[]> => {
    const old = await openRows(
      transaction,
      'service_keys',
      'id',
      inputs.map(({ replaces }) => replaces),
    );
    const drafts = inputs.map((rotation) => {
      const row = old.get(rotation.replaces);
      const draft = row && draftOfRotation(toKey(row), rotation);
      return draft && { ...draft, replaces: rotation.replaces };
    });
    const added = (
      await addKeys(
        transaction,
        drafts.filter((draft) => draft !== undefined),
      )
    ).values();
    return drafts.map((draft) => (draft === undefined ? undefined : added.next().value));
  },
);

type Addition = ServiceKeyDraft & { readonly replaces?: string };

async function addKeys(transaction: Transaction, additions: readonly Addition[]): Promise<ServiceKeyCreation[]> {
  if (additions.length === 0) return [];
  const earliest = Math.min(...additions.map(({ now }) => now));
  const ends = (await transaction.all(live, { now: earliest, most: mostLiveKeys })).map((row) => row.expires_at);
  const rows: Row<'service_keys'>[] = [];
  const events: DatedEvent[] = [];
  const outputs = additions.map(({ replaces, ...draft }) => {
    if (isFull(ends, draft.now)) return 'full';
    const { secretHash, ...key } = keyOfDraft(draft);
    ends.push(key.endsAt);
    rows.push(toRow({ ...key, secretHash }));
    events.push(keyCreatedEvent(draft, replaces));
    return key;
  });
  await insert(transaction, 'service_keys', rows);
  await writeAudit(transaction, events);
  return outputs;
}

export const revoke = operation(async (transaction, inputs: readonly ServiceKeyRevocation[]): Promise<boolean[]> => {
  const keys = await openRows(
    transaction,
    'service_keys',
    'id',
    inputs.map(({ id }) => id),
  );
  const events: DatedEvent[] = [];
  const outputs = inputs.map((revocation) => {
    const row = keys.get(revocation.id);
    const key = row && toKey(row);
    const revoked = key && revokeKey(key, revocation.now);
    if (row === undefined || key === undefined || revoked === undefined) return false;
    keys.put({ ...row, revoked_at: revoked.revokedAt, expires_at: revoked.endsAt });
    events.push(keyRevokedEvent(key, revocation));
    return true;
  });
  await Promise.all([keys.save(), writeAudit(transaction, events)]);
  return outputs;
});

export const touch = operation(async (transaction, inputs: readonly { id: string; now: number }[]) => {
  const keys = await openRows(
    transaction,
    'service_keys',
    'id',
    inputs.map(({ id }) => id),
  );
  for (const { id, now } of inputs) {
    const row = keys.get(id);
    const usedAt = row && useOfKey(toKey(row), now);
    if (row !== undefined && usedAt !== undefined) keys.put({ ...row, last_used_at: usedAt });
  }
  await keys.save();
  return inputs.map(() => undefined);
});

export const listLive = reading(async (transaction, inputs: readonly number[]): Promise<StoredServiceKey[][]> => {
  const rows = await transaction.all(live, { now: Math.min(...inputs), most: mostListed });
  return inputs.map((now) =>
    rows.filter((row) => row.expires_at > now).map((row) => ({ ...toKey(row), secretHash: row.secret_hash })),
  );
});

export const list = reading(async (transaction, inputs: readonly number[]): Promise<ServiceKey[][]> => {
  const outputs: ServiceKey[][] = [];
  for (const most of inputs) outputs.push((await transaction.all(lasting, { most })).map(toKey));
  return outputs;
});

/** Two nodes that create keys at the same time may exceed the number. */
const mostListed = 2 * mostLiveKeys;

const live = statement<Row<'service_keys'>>(
  ({ all, value }) => sql`select ${all('service_keys')} from service_keys where expires_at > ${value('now')}
    order by expires_at desc, id limit ${value('most')}`,
);

const lasting = statement<Row<'service_keys'>>(
  ({ all, value }) =>
    sql`select ${all('service_keys')} from service_keys order by expires_at desc, id limit ${value('most')}`,
);

function toKey(row: Row<'service_keys'>): ServiceKey {
  return {
    id: row.id,
    name: row.name,
    scopes: readScopes(row.scopes),
    createdBy: row.created_by,
    createdAt: row.created_at,
    endsAt: row.expires_at,
    revokedAt: row.revoked_at ?? undefined,
    lastUsedAt: row.last_used_at ?? undefined,
  };
}

function toRow(key: StoredServiceKey): Row<'service_keys'> {
  return {
    id: key.id,
    name: key.name,
    secret_hash: key.secretHash,
    scopes: key.scopes.join(' '),
    created_by: key.createdBy,
    created_at: key.createdAt,
    expires_at: key.endsAt,
    revoked_at: key.revokedAt ?? null,
    last_used_at: key.lastUsedAt ?? null,
  };
}
