// Limits as those who run the service see them: what a counter remembers, and forgetting it.
import { clearingEvent, type LimitClearing } from '../../abuse/limit-store.ts';
import { openRows, remove } from '../engine/rows.ts';
import type { Row } from '../engine/schema.ts';
import { sql } from '../engine/sql.ts';
import { statement } from '../engine/statement.ts';
import { operation, reading } from '../engine/transaction.ts';
import { writeAudit } from './audit.ts';
import { openLimits } from './limit-rows.ts';

export const readLimit = reading(async (transaction, ids: readonly string[]): Promise<unknown[]> => {
  const limits = await openLimits(transaction, ids);
  return ids.map((id) => limits.get<unknown>(id) ?? []);
});

type Listing = { readonly prefix: string; readonly most: number };

export const listLimits = reading(async (transaction, inputs: readonly Listing[]) => {
  const outputs: { id: string; value: unknown }[][] = [];
  for (const { prefix, most } of inputs) {
    // Ids are ASCII and compare bytewise: nothing that begins so lies beyond this end.
    const rows = await transaction.all(beginningWith, { prefix, end: `${prefix}~`, most });
    outputs.push(rows.map(({ id, hits }) => ({ id, value: JSON.parse(hits) as unknown })));
  }
  return outputs;
});

const beginningWith = statement<Row<'limits'>>(
  ({ all, value }) => sql`select ${all('limits')} from limits where id >= ${value('prefix')}
    and id < ${value('end')} order by id limit ${value('most')}`,
);

/** How many counters were forgotten. */
export const clearLimits = operation(async (transaction, inputs: readonly LimitClearing[]): Promise<number[]> => {
  const wanted = new Set(inputs.flatMap((input) => input.ids));
  const rows = await openRows(transaction, 'limits', 'id', wanted);
  const known = new Set([...wanted].filter((id) => rows.get(id) !== undefined));
  await remove(
    transaction,
    'limits',
    [...known].map((id) => ({ id })),
  );
  await writeAudit(transaction, inputs.map(clearingEvent));
  return inputs.map(({ ids }) => ids.filter((id) => known.delete(id)).length);
});
