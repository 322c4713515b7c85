// Users by a value that only one user may have, the number, the address or the id of an app: who has it now, and passing it on within one batch.
import type { UserId } from '../../../../kernel/ids.ts';
import { listBy, openRows, update } from '../../../engine/rows.ts';
import type { Row } from '../../../engine/schema.ts';
import type { Transaction } from '../../../engine/transaction.ts';

type OwnedColumn = 'phone' | 'email_key' | 'external_id';

export type OwnedRows = {
  get(userId: UserId | null): Row<'users'> | undefined;
  /** The id of the user who has the value now. */
  ownerOf(value: string | null): UserId | undefined;
  put(row: Row<'users'>): void;
  save(): Promise<void>;
};

/** Users and owners are locked together, so that two nodes that exchange values crosswise do not wait for each other. */
export async function openOwned(
  transaction: Transaction,
  column: OwnedColumn,
  wanted: readonly { readonly userId: UserId; readonly value: string | null }[],
): Promise<OwnedRows> {
  const found = await listBy(
    transaction,
    'users',
    column,
    wanted.flatMap(({ value }) => value ?? []),
  );
  const ids = new Set([...wanted.map(({ userId }) => userId), ...found.map(({ id }) => id)]);
  const users = await openRows(transaction, 'users', 'id', ids);
  const before = [...ids].flatMap((id) => users.get(id) ?? []);
  const owners = new Map(before.map((row) => [row[column], row.id]));
  owners.delete(null);
  return {
    get: users.get,
    ownerOf: (value) => owners.get(value),
    put: (row) => {
      const old = users.get(row.id)?.[column] ?? null;
      if (old !== row[column]) owners.delete(old);
      if (row[column] !== null) owners.set(row[column], row.id);
      users.put(row);
    },
    save: async () => {
      // A value that another user of the batch takes must be free first. The rows are locked.
      const passedOn = before.filter((row) => (owners.get(row[column]) ?? row.id) !== row.id);
      const freed = passedOn.map((row) => ({ ...row, [column]: null }));
      await update(transaction, 'users', freed, [column]);
      await users.save(column);
    },
  };
}
