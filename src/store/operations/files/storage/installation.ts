// The installation that the database belongs to: one row, made once.
import type { Holdings } from '../../../../files/storage/installation.ts';
import type { Act } from '../../../../kernel/audit.ts';
import { openRows } from '../../../engine/rows.ts';
import { sql } from '../../../engine/sql.ts';
import { statement } from '../../../engine/statement.ts';
import { operation, reading } from '../../../engine/transaction.ts';
import { writeAudit } from '../../audit.ts';

/** The key of the only row. */
const slot = 'this';

export const find = reading(async (transaction, inputs: readonly null[]): Promise<(string | undefined)[]> => {
  const rows = await openRows(transaction, 'installation', 'slot', [slot]);
  return inputs.map(() => rows.get(slot)?.id);
});

type Claim = { readonly id: string; readonly now: number };

export const claim = operation(async (transaction, inputs: readonly Claim[]): Promise<string[]> => {
  const rows = await openRows(transaction, 'installation', 'slot', [slot]);
  const outputs = inputs.map(({ id, now }) => {
    const row = rows.get(slot) ?? { slot, id, created_at: now };
    rows.put(row);
    return row.id;
  });
  await rows.save();
  return outputs;
});

type Adoption = Claim & { readonly before: string | undefined; readonly by: Act };

export const adopt = operation(async (transaction, inputs: readonly Adoption[]): Promise<undefined[]> => {
  const rows = await openRows(transaction, 'installation', 'slot', [slot]);
  for (const { id, now } of inputs) rows.put({ slot, id, created_at: now });
  await rows.save();
  await writeAudit(
    transaction,
    inputs.map(({ id, before, by, now }) => ({
      kind: 'storage.adopted',
      detail: { installation: id, ...(before !== undefined && { before }), ...by },
      now,
    })),
  );
  return inputs.map(() => undefined);
});

/** Enough to show an operator what there is. A full count would read whole tables. */
const mostCounted = 1_000_000;

export const measure = reading(async (transaction, inputs: readonly null[]): Promise<Holdings[]> => {
  const [found] = await transaction.all(counts, { most: mostCounted });
  return inputs.map(() => ({ users: Number(found?.users ?? 0), records: Number(found?.records ?? 0) }));
});

const counts = statement<{ users: number; records: number }>(({ value }) => {
  const most = value('most');
  return sql`select
    (select count(*) from (select id from users limit ${most}) as some_users) as users,
    (select count(*) from (select id from files limit ${most}) as some_files) as records`;
});
