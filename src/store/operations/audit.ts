// Writes audit events in the commit of the act that they record.
import type { DatedEvent } from '../../kernel/audit.ts';
import { newId } from '../../kernel/random.ts';
import { insert } from '../engine/rows.ts';
import type { Row } from '../engine/schema.ts';
import { operation, type Transaction } from '../engine/transaction.ts';
import { queueWebhooks } from './webhooks.ts';

export async function writeAudit(transaction: Transaction, events: readonly DatedEvent[]): Promise<void> {
  const rows: Row<'audit_events'>[] = events.map((event) => ({
    id: newId(),
    kind: event.kind,
    user_id: event.userId ?? null,
    recipient: typeof event.detail.recipient === 'string' ? event.detail.recipient : null,
    detail: JSON.stringify(event.detail),
    created_at: event.now,
  }));
  await insert(transaction, 'audit_events', rows);
  if (transaction.endpoints.length > 0) await queueWebhooks(transaction, rows);
}

export const recordAudit = operation(async (transaction, inputs: readonly DatedEvent[]) => {
  await writeAudit(transaction, inputs);
  return inputs.map(() => undefined);
});
