// Limits as those who run the service see them: what a counter remembers, and forgetting it.
import type { LimitClearing } from '../../../guard/limit-store.ts';
import type { Hits } from '../../../guard/limits.ts';
import { openRows, remove } from '../rows.ts';
import { operation, reading } from '../transaction.ts';
import { writeAudit } from './audit.ts';
import { openLimits } from './limit-rows.ts';

export const readLimit = reading(async (transaction, ids: readonly string[]): Promise<Hits[]> => {
  const limits = await openLimits(transaction, ids);
  return ids.map((id) => limits.get<Hits>(id) ?? []);
});

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
  await writeAudit(
    transaction,
    inputs.map(({ detail, now }) => ({ kind: 'limits.cleared', detail, now })),
  );
  return inputs.map(({ ids }) => ids.filter((id) => known.delete(id)).length);
});
