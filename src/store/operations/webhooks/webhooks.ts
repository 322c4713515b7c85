// The queue of webhook events in the store: an entry is written with its audit event, then finished, tried again later or parked.
import { webhookTypeOf } from '../../../backend/webhooks/webhook-event.ts';
import type { WebhookState } from '../../../backend/webhooks/webhook-queue.ts';
import {
  advanceWebhook,
  queueOf,
  type WebhookProgress,
  type WebhookStep,
} from '../../../backend/webhooks/webhook-rules.ts';
import { openRows } from '../../engine/rows.ts';
import { type ColumnOf, columnsOf, type Row } from '../../engine/schema.ts';
import { sql } from '../../engine/sql.ts';
import { statement } from '../../engine/statement.ts';
import { operation, reading, type Transaction } from '../../engine/transaction.ts';
import { slotPrefix } from './webhook-limits.ts';
import { inQueue } from './webhook-queues.ts';

/** One entry for each published event and each endpoint whose queue is not full. */
export async function queueWebhooks(transaction: Transaction, events: readonly Row<'audit_events'>[]): Promise<void> {
  const rows = transaction.endpoints.flatMap((endpoint) => events.flatMap((event) => toEntry(event, endpoint)));
  if (rows.length > 0) await transaction.run(queueEntries, { rows });
}

const queueEntries = statement<never>(({ rows }) => {
  const columns = columnsOf('webhooks') as ColumnOf<'webhooks'>[];
  const values = sql.join(columns.map((column) => sql.ref(`input.${column}`)));
  return sql`insert into webhooks (${sql.join(columns.map((column) => sql.ref(column)))})
    select ${values} from ${rows('rows', 'webhooks', columns)} as input where not exists (select 1 from counters
      where counters.slot = ${sql.lit(slotPrefix)} || input.endpoint and counters.counted_until <> '')`;
});

/** Empty if such an event is not published. */
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
      ...inQueue(queueOf({ id, userId: event.user_id ?? undefined })),
    },
  ];
}

export const finish = change<{ id: string; now: number }>(({ id, now }) => [[id, { kind: 'delivered', now }]]);

type Retry = {
  readonly id: string;
  readonly dueAt: number;
  readonly error: string;
  readonly behind: readonly string[];
};

export const retry = change<Retry>(({ id, dueAt, error, behind }) => [
  [id, { kind: 'failed', dueAt, error }],
  ...released(behind, dueAt),
]);

export const release = change<{ ids: readonly string[]; dueAt: number }>(({ ids, dueAt }) => released(ids, dueAt));

export const park = change<{ id: string; error: string; now: number }>(({ id, error, now }) => [
  [id, { kind: 'parked', error, now }],
]);

type Step = readonly [id: string, step: WebhookStep];

function released(ids: readonly string[], dueAt: number): Step[] {
  return ids.map((id) => [id, { kind: 'released', dueAt }]);
}

export const measure = reading(async (transaction, inputs: readonly null[]) => {
  const [row] = await transaction.all(measured, {});
  const result = { waiting: row?.waiting ?? 0, parked: row?.parked ?? 0, oldestAt: row?.oldest ?? undefined };
  return inputs.map(() => result);
});

/** Whatever is due again joins its queue again, together with what became due with it. */
function change<Input>(toSteps: (input: Input) => readonly Step[]) {
  return operation(async (transaction, inputs: readonly Input[]): Promise<undefined[]> => {
    const steps = inputs.flatMap(toSteps);
    const entries = await openRows(
      transaction,
      'webhooks',
      'id',
      steps.map(([id]) => id),
    );
    for (const [id, step] of steps) {
      const row = entries.get(id);
      const next = row && advanceWebhook(toProgress(row), step);
      if (row !== undefined && next !== undefined)
        entries.put({ ...row, ...fromProgress(next), ...inQueue(undefined) });
    }
    await entries.save();
    return inputs.map(() => undefined);
  });
}

function toProgress(row: Row<'webhooks'>): Omit<WebhookProgress, 'state'> {
  return {
    tries: row.tries,
    dueAt: row.due_at,
    doneAt: row.done_at ?? undefined,
    error: row.last_error ?? undefined,
  };
}

function fromProgress({ state, tries, dueAt, doneAt, error }: WebhookProgress) {
  return { state, tries, due_at: dueAt, done_at: doneAt ?? null, last_error: error ?? null };
}

type Measured = { waiting: number; parked: number; oldest: number | null };

const measured = statement<Measured>(
  () => sql`select
    (select count(*) from webhooks where done_at is null) as waiting,
    (select count(*) from webhooks where done_at is not null and state = 'parked') as parked,
    (select min(created_at) from webhooks where done_at is null) as oldest`,
);
