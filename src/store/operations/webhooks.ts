// The queue of webhook events in the store: written beside the audit event, claimed by one node at a time, finished, put off or parked.
import { webhookTypeOf } from '../../webhooks/webhook-event.ts';
import type { ClaimedWebhook, WebhookState } from '../../webhooks/webhook-queue.ts';
import { insert, listBy, openRows, update } from '../engine/rows.ts';
import type { Row } from '../engine/schema.ts';
import { sql } from '../engine/sql.ts';
import { statement } from '../engine/statement.ts';
import { operation, reading, type Transaction } from '../engine/transaction.ts';
import { toEvent } from './audit-listing.ts';

/** One entry for each event that apps are told of, and each endpoint. */
export async function queueWebhooks(transaction: Transaction, events: readonly Row<'audit_events'>[]): Promise<void> {
  const rows = transaction.endpoints.flatMap((endpoint) => events.flatMap((event) => toEntry(event, endpoint)));
  await insert(transaction, 'webhooks', rows);
}

/** None where apps are not told of such an event. */
export function toEntry(event: Row<'audit_events'>, endpoint: string): Row<'webhooks'>[] {
  const type = webhookTypeOf(event.kind);
  if (type === undefined) return [];
  const { id, created_at } = event;
  return [
    {
      id: `${id}.${endpoint}`,
      event_id: id,
      endpoint,
      type,
      state: 'queued' satisfies WebhookState,
      tries: 0,
      due_at: created_at,
      created_at,
      done_at: null,
      last_error: null,
    },
  ];
}

type Claim = { readonly endpoint: string; readonly now: number; readonly most: number; readonly leaseSeconds: number };

export const isWebhookDue = reading(
  async (transaction, inputs: readonly { endpoint: string; now: number }[]): Promise<boolean[]> => {
    const outputs: boolean[] = [];
    for (const input of inputs) outputs.push((await transaction.all(anyDue, input)).length > 0);
    return outputs;
  },
);

/** What another node holds is passed over, not waited for. */
export const claimWebhooks = operation(async (transaction, inputs: readonly Claim[]): Promise<ClaimedWebhook[][]> => {
  const outputs: ClaimedWebhook[][] = [];
  for (const { endpoint, now, most, leaseSeconds } of inputs) {
    const due = await transaction.all(dueWebhooks, { endpoint, now, most });
    const held = due.map((row) => ({
      ...row,
      state: 'sending' satisfies WebhookState,
      tries: row.tries + 1,
      due_at: now + leaseSeconds * 1000,
    }));
    await update(transaction, 'webhooks', held, ['state', 'tries', 'due_at']);
    const events = await listBy(
      transaction,
      'audit_events',
      'id',
      held.map((row) => row.event_id),
    );
    const byId = new Map(events.map((row) => [row.id, toEvent(row)]));
    outputs.push(
      held.map((row) => ({
        id: row.id,
        eventId: row.event_id,
        event: byId.get(row.event_id),
        tries: row.tries,
        createdAt: row.created_at,
      })),
    );
  }
  return outputs;
});

export const finishWebhooks = change<{ id: string; now: number }>((row, { now }) => ({
  ...row,
  state: 'delivered' satisfies WebhookState,
  done_at: now,
  last_error: null,
}));

export const retryWebhooks = change<{ id: string; dueAt: number; error: string }>((row, { dueAt, error }) => ({
  ...row,
  state: 'queued' satisfies WebhookState,
  due_at: dueAt,
  last_error: error,
}));

export const releaseWebhooks = change<{ id: string; dueAt: number }>((row, { dueAt }) => ({
  ...row,
  state: 'queued' satisfies WebhookState,
  tries: row.tries - 1,
  due_at: dueAt,
}));

export const parkWebhooks = change<{ id: string; error: string; now: number }>((row, { error, now }) => ({
  ...row,
  state: 'parked' satisfies WebhookState,
  done_at: now,
  last_error: error,
}));

export const measureWebhooks = reading(async (transaction, inputs: readonly null[]) => {
  const [row] = await transaction.all(measured, {});
  const result = { waiting: row?.waiting ?? 0, parked: row?.parked ?? 0, oldestAt: row?.oldest ?? undefined };
  return inputs.map(() => result);
});

/** Changes entries that are not done. One that was delivered after its lease ended elsewhere stays delivered. */
function change<Input extends { readonly id: string }>(next: (row: Row<'webhooks'>, input: Input) => Row<'webhooks'>) {
  return operation(async (transaction, inputs: readonly Input[]): Promise<undefined[]> => {
    const entries = await openRows(
      transaction,
      'webhooks',
      'id',
      inputs.map((input) => input.id),
    );
    for (const input of inputs) {
      const row = entries.get(input.id);
      if (row !== undefined && row.done_at === null) entries.put(next(row, input));
    }
    await entries.save();
    return inputs.map(() => undefined);
  });
}

const anyDue = statement<{ id: string }>(
  ({ value }) => sql`select id from webhooks where endpoint = ${value('endpoint')}
    and done_at is null and due_at <= ${value('now')} limit 1`,
);

const dueWebhooks = statement<Row<'webhooks'>>(
  ({ all, value, lock }) => sql`select ${all('webhooks')} from webhooks where endpoint = ${value('endpoint')}
    and done_at is null and due_at <= ${value('now')}
    order by due_at, id limit ${value('most')} ${lock('skip')}`,
);

type Measured = { waiting: number; parked: number; oldest: number | null };

const measured = statement<Measured>(
  () => sql`select
    (select count(*) from webhooks where done_at is null) as waiting,
    (select count(*) from webhooks where done_at is not null and state = 'parked') as parked,
    (select min(created_at) from webhooks where done_at is null) as oldest`,
);
