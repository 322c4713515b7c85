// Limit rows: the value of a counter, as JSON, under an id.
import type { Count } from '../../../abuse/caller-limits.ts';
import { openRows } from '../../engine/rows.ts';
import type { Transaction } from '../../engine/transaction.ts';

export type LimitRows = {
  get<T>(id: string | undefined): T | undefined;
  putAll(counts: readonly Count[]): void;
  save(): Promise<void>;
};

export async function openLimits(transaction: Transaction, ids: Iterable<string | undefined>): Promise<LimitRows> {
  const rows = await openRows(transaction, 'limits', 'id', ids);
  return {
    get: <T>(id: string | undefined) => {
      const row = id === undefined ? undefined : rows.get(id);
      return row === undefined ? undefined : (JSON.parse(row.hits) as T);
    },
    putAll: (counts) => {
      for (const { id, value, endsAt } of counts) {
        // An earlier count may have had a longer window: the end never moves closer.
        const end = Math.max(nextHour(endsAt), rows.get(id)?.sweep_at ?? 0);
        rows.put({ id, hits: JSON.stringify(value), sweep_at: end });
      }
    },
    save: rows.save,
  };
}

/** Whole hours, so that most updates leave the index over sweep_at alone. */
function nextHour(time: number): number {
  return Math.ceil(time / 3_600_000) * 3_600_000;
}
