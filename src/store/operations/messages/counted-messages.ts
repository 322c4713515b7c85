// Messages of the outbox with the limits that they were counted in, so that one commit changes both.
import { type Counted, countedIds, type Settled } from '../../../abuse/counted.ts';
import { listBy, openRows, type RowSet } from '../../engine/rows.ts';
import type { Row } from '../../engine/schema.ts';
import type { Transaction } from '../../engine/transaction.ts';
import { type LimitRows, openLimits } from '../abuse/limit-rows.ts';

type CountedMessages = RowSet<'outbox'> & {
  readonly limits: LimitRows;
  /** The row after the rule, which is asked only for a message that was counted. Its counters are changed. */
  settle(row: Row<'outbox'>, rule: (counted: Counted) => Settled): Row<'outbox'>;
};

/** Limits are locked before messages. A message keeps its counters for life, so they are first read without a lock. */
export async function openCounted(
  transaction: Transaction,
  ids: readonly string[],
  /** `between`: what is locked after the limits and before the messages. */
  {
    mayChange = () => true,
    between,
  }: { mayChange?: (counted: Counted) => boolean; between?: () => Promise<void> } = {},
): Promise<CountedMessages> {
  const known = (await listBy(transaction, 'outbox', 'id', ids)).flatMap((row) => readCounted(row) ?? []);
  const limits = await openLimits(transaction, known.filter(mayChange).flatMap(countedIds));
  await between?.();
  const messages = await openRows(transaction, 'outbox', 'id', ids);
  return {
    ...messages,
    limits,
    settle: (row, rule) => {
      const counted = readCounted(row);
      if (counted === undefined) return row;
      const settled = rule(counted);
      limits.putAll(settled.counts);
      return { ...row, counted: writeCounted(settled.counted) };
    },
    save: async () => {
      await Promise.all([limits.save(), messages.save()]);
    },
  };
}

export function readCounted({ counted }: Row<'outbox'>): Counted | undefined {
  return counted === null ? undefined : (JSON.parse(counted) as Counted);
}

export function writeCounted(counted: Counted | undefined): string | null {
  return counted === undefined ? null : JSON.stringify(counted);
}
