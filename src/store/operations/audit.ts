// Writes audit events in the commit of the act that they record.

import { webhookTypeOf } from '../../backend/webhooks/webhook-event.ts';
import type { DatedEvent } from '../../kernel/audit.ts';
import { newId } from '../../kernel/crypto/random.ts';
import { columnsOf, type Row } from '../engine/schema.ts';
import { sql } from '../engine/sql.ts';
import { statement } from '../engine/statement.ts';
import { operation, type Transaction } from '../engine/transaction.ts';
import { queueWebhooks } from './webhooks/webhooks.ts';

/**
 * An event that is published to apps gets a number in the order of the acts on its user: it is written after the rows of the user are
 * locked. All other events have none.
 */
export async function writeAudit(transaction: Transaction, events: readonly DatedEvent[]): Promise<void> {
  if (events.length === 0) return;
  let numbered = 0;
  const rows: Row<'audit_events'>[] = events.map((event) => ({
    id: newId(),
    kind: event.kind,
    user_id: event.userId ?? null,
    recipient: typeof event.detail.recipient === 'string' ? event.detail.recipient : null,
    detail: JSON.stringify(event.detail),
    created_at: event.now,
    order_no: webhookTypeOf(event.kind) === undefined ? null : ++numbered,
    position: null,
  }));
  await transaction.run(insertEvents, { rows });
  if (transaction.endpoints.length > 0) await queueWebhooks(transaction, rows);
}

/**
 * The rows count the published events of this call from 1. PostgreSQL takes a number for each from its sequence, in the order of the
 * rows. SQLite has one writer, takes one row after the other and counts on from the highest number that waits for a position: only
 * the order of those matters.
 */
const insertEvents = statement<never>(
  ({ dialect, isOne, only, rows }) => {
    const columns = columnsOf('audit_events') as (keyof Row<'audit_events'>)[];
    const given = (column: string) => (isOne ? only('rows', column) : sql.ref(column));
    const orderNo =
      dialect === 'postgres'
        ? sql`case when input.order_no is not null then nextval('event_order') end`
        : sql`min(${given('order_no')}, 1) + coalesce((select waiting.order_no from audit_events as waiting
          where waiting.order_no is not null and waiting.position is null order by waiting.order_no desc limit 1), 0)`;
    const values = columns.map((column) => (column === 'order_no' ? orderNo : given(column)));
    const into = sql`insert into audit_events (${sql.join(columns.map((column) => sql.ref(column)))})`;
    // Selected from its own table, even one row would first go to a table in memory.
    if (isOne) return sql`${into} values (${sql.join(values)})`;
    return sql`${into} select ${sql.join(values)} from ${rows('rows', 'audit_events', columns)} as input`;
  },
  { isPerRow: true },
);

export const record = operation(async (transaction, inputs: readonly DatedEvent[]) => {
  await writeAudit(transaction, inputs);
  return inputs.map(() => undefined);
});
