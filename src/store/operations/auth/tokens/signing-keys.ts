// Signing keys in the store: one per generation, from the node that adds it first.
import type { StoredSigningKey } from '../../../../auth/tokens/signing-key.ts';
import type { Act } from '../../../../kernel/audit.ts';
import { openRows, remove } from '../../../engine/rows.ts';
import type { Row } from '../../../engine/schema.ts';
import { sql } from '../../../engine/sql.ts';
import { statement } from '../../../engine/statement.ts';
import { operation, reading } from '../../../engine/transaction.ts';
import { writeAudit } from '../../audit.ts';

export const listKeys = reading(async (transaction, inputs: readonly null[]): Promise<StoredSigningKey[][]> => {
  const keys = (await transaction.all(allKeys, {})).map(toKey);
  return inputs.map(() => keys);
});

type Addition = StoredSigningKey & { readonly by?: Act };

export const addKey = operation(async (transaction, inputs: readonly Addition[]): Promise<boolean[]> => {
  const keys = await openRows(
    transaction,
    'signing_keys',
    'generation',
    inputs.map((input) => input.generation),
  );
  const added = inputs.map((key) => {
    if (keys.get(key.generation) !== undefined) return false;
    keys.put(fromKey(key));
    return true;
  });
  await keys.save();
  const events = inputs.filter((_, index) => added[index]);
  await writeAudit(
    transaction,
    events.map((key) => ({ kind: 'keys.rotated' as const, detail: { key: key.id, ...key.by }, now: key.createdAt })),
  );
  return added;
});

type Removal = { readonly id: string; readonly by: Act; readonly now: number };

export const removeKey = operation(async (transaction, inputs: readonly Removal[]): Promise<boolean[]> => {
  const ids = inputs.map(({ id }) => id);
  const keys = await openRows(transaction, 'signing_keys', 'id', ids);
  // Of two removals of one key in a batch, the first counts.
  const removed = inputs.map(({ id }, index) => ids.indexOf(id) === index && keys.get(id) !== undefined);
  const gone = inputs.filter((_, index) => removed[index]);
  const generations = gone.flatMap(({ id }) => keys.get(id)?.generation ?? []);
  await remove(
    transaction,
    'signing_keys',
    generations.map((generation) => ({ generation })),
  );
  await writeAudit(
    transaction,
    gone.map(({ id, by, now }) => ({ kind: 'keys.revoked' as const, detail: { key: id, ...by }, now })),
  );
  return removed;
});

const allKeys = statement<Row<'signing_keys'>>(
  ({ all }) => sql`select ${all('signing_keys')} from signing_keys order by generation`,
);

function toKey(row: Row<'signing_keys'>): StoredSigningKey {
  return {
    generation: row.generation,
    id: row.id,
    publicKey: row.public_key,
    privateKey: row.private_key,
    createdAt: row.created_at,
    activeFrom: row.active_from,
  };
}

function fromKey(key: StoredSigningKey): Row<'signing_keys'> {
  return {
    generation: key.generation,
    id: key.id,
    public_key: key.publicKey,
    private_key: key.privateKey,
    created_at: key.createdAt,
    active_from: key.activeFrom,
  };
}
