// Bounds the queue of each webhook endpoint: marks it as full or open. While it is full, commits queue no event for it.
import type { QueueLimit, QueueState } from '../../../backend/webhooks/webhook-queue.ts';
import { judgeQueue } from '../../../backend/webhooks/webhook-rules.ts';
import { openRows } from '../../engine/rows.ts';
import { sql } from '../../engine/sql.ts';
import { statement } from '../../engine/statement.ts';
import { operation } from '../../engine/transaction.ts';

/** The row of `counters` of an endpoint: since when its queue has been full, or an empty text. */
export const slotPrefix = 'webhooks ';

type Limiting = QueueLimit & { readonly endpoint: string; readonly now: number };

/** Gives the state before and after. Several nodes may judge the same queue: one of them finds that it has changed. */
export const limit = operation(
  async (transaction, inputs: readonly Limiting[]): Promise<{ before: QueueState; after: QueueState }[]> => {
    const slotOf = ({ endpoint }: Limiting) => `${slotPrefix}${endpoint}`;
    const rows = await openRows(transaction, 'counters', 'slot', inputs.map(slotOf));
    const outputs: { before: QueueState; after: QueueState }[] = [];
    for (const input of inputs) {
      const since = rows.get(slotOf(input))?.counted_until ?? '';
      const before: QueueState = { fullSince: since === '' ? undefined : Number(since) };
      const [counted] = await transaction.all(countWaiting, { endpoint: input.endpoint, most: input.most });
      const after = judgeQueue(before, counted?.waiting ?? 0, input);
      const isSame = before.fullSince === after.fullSince;
      if (!isSame) rows.put({ slot: slotOf(input), counted_until: String(after.fullSince ?? '') });
      outputs.push({ before, after });
    }
    await rows.save();
    return outputs;
  },
);

const countWaiting = statement<{ waiting: number }>(
  ({ value }) => sql`select count(*) as waiting from (select 1 from webhooks where endpoint = ${value('endpoint')}
    and done_at is null limit ${value('most')}) as found`,
);
