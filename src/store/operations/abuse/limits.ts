// Limits as operators and staff see them: reads, lists and clears counters.
import { clearingEvents, type LimitClearing } from '../../../abuse/limit-store.ts';
import { openRows, remove } from '../../engine/rows.ts';
import type { Row } from '../../engine/schema.ts';
import { sql } from '../../engine/sql.ts';
import { statement } from '../../engine/statement.ts';
import { operation, reading } from '../../engine/transaction.ts';
import { writeAudit } from '../audit.ts';
import { openLimits } from './limit-rows.ts';

export const read = reading(async (transaction, ids: readonly string[]): Promise<unknown[]> => {
  const limits = await openLimits(transaction, ids);
  return ids.map((id) => limits.get<unknown>(id) ?? []);
});

type Listing = { readonly prefix: string; readonly most: number };

export const list = reading(async (transaction, inputs: readonly Listing[]) => {
  const outputs: { id: string; value: unknown }[][] = [];
  for (const { prefix, most } of inputs) {
    // Ids are ASCII and compare bytewise: every id with this prefix lies before this end.
    const rows = await transaction.all(withPrefix, { prefix, end: `${prefix}~`, most });
    outputs.push(rows.map(({ id, hits }) => ({ id, value: JSON.parse(hits) as unknown })));
  }
  return outputs;
});

const withPrefix = statement<Row<'limits'>>(
  ({ all, value }) => sql`select ${all('limits')} from limits where id >= ${value('prefix')}
    and id < ${value('end')} order by id limit ${value('most')}`,
);

/** Gives how many counters held something. */
export const clear = operation(async (transaction, inputs: readonly LimitClearing[]): Promise<number[]> => {
  const wanted = new Set(inputs.flatMap((input) => input.ids));
  const rows = await openRows(transaction, 'limits', 'id', wanted);
  const known = new Set([...wanted].filter((id) => rows.get(id) !== undefined));
  await remove(
    transaction,
    'limits',
    [...known].map((id) => ({ id })),
  );
  const cleared = inputs.map(({ ids }) => ids.filter((id) => known.delete(id)).length);
  await writeAudit(
    transaction,
    inputs.flatMap((input, index) => clearingEvents(input, cleared[index] ?? 0)),
  );
  return cleared;
});
