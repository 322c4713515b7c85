// The queues of webhook events in the store, one for each user: a claim takes the first events of each queue in turn.
// Migration 0017 called the column `line`. Only this file knows that name.
import type { ClaimedWebhook, WebhookClaim } from '../../../backend/webhooks/webhook-queue.ts';
import { chooseQueues, claimWebhook, queueOf } from '../../../backend/webhooks/webhook-rules.ts';
import { listBy, update } from '../../engine/rows.ts';
import type { Row } from '../../engine/schema.ts';
import { type Sql, sql } from '../../engine/sql.ts';
import { statement } from '../../engine/statement.ts';
import { operation, reading, type Transaction } from '../../engine/transaction.ts';
import { toEvent } from '../audit-listing.ts';

type At = { readonly endpoint: string; readonly now: number };

export const look = reading(async (transaction, inputs: readonly At[]) => {
  const outputs: { isInQueue: boolean; isBack: boolean }[] = [];
  for (const { endpoint, now } of inputs) {
    const queued = await transaction.all(queuesAfter, { endpoint, now, after: '', steps: 1 });
    const back = await transaction.all(anyBack, { endpoint, now });
    outputs.push({ isInQueue: queued.length > 0, isBack: back.length > 0 });
  }
  return outputs;
});

/** Skips what another node holds, and does not wait for it. */
export const queueUp = operation(
  async (transaction, inputs: readonly (At & { readonly most: number })[]): Promise<number[]> => {
    const outputs: number[] = [];
    for (const input of inputs) {
      const back = await transaction.all(dueAgain, input);
      const events = await eventsOf(transaction, back);
      const queued = back.map((row) => {
        const userId = events.get(row.event_id)?.user_id ?? undefined;
        return { ...row, ...inQueue(queueOf({ id: row.event_id, userId })) };
      });
      await update(transaction, 'webhooks', queued, ['line']);
      outputs.push(queued.length);
    }
    return outputs;
  },
);

/** Skips what another node holds, and does not wait for it. */
export const claim = operation(async (transaction, inputs: readonly WebhookClaim[]): Promise<ClaimedWebhook[][]> => {
  const outputs: ClaimedWebhook[][] = [];
  for (const input of inputs) {
    const { endpoint, now, mostOfQueue, leaseSeconds } = input;
    const queues = await findQueues(transaction, input);
    const due = await Promise.all(
      queues.map((queue) => transaction.all(dueOfQueue, { endpoint, now, queue, most: mostOfQueue })),
    );
    const rows = due.flat();
    const held = rows.map((row) => {
      const { state, tries, dueAt } = claimWebhook(row, { now, leaseSeconds });
      // It leaves its queue. If it is due again, it joins the queue again.
      return { ...row, state, tries, due_at: dueAt, ...inQueue(undefined) };
    });
    await update(transaction, 'webhooks', held, ['state', 'tries', 'due_at', 'line']);
    const events = await eventsOf(transaction, rows);
    outputs.push(
      held.map(({ id, event_id: eventId, tries, created_at: createdAt }, index): ClaimedWebhook => {
        const event = events.get(eventId);
        return { id, eventId, queue: rows[index]?.line ?? eventId, event: event && toEvent(event), tries, createdAt };
      }),
    );
  }
  return outputs;
});

/** The columns of an entry that stands in this queue; in none if undefined. */
export function inQueue(queue: string | undefined): Pick<Row<'webhooks'>, 'line'> {
  return { line: queue ?? null };
}

/** Goes around: from the queue behind `after` to the last, then from the first. */
async function findQueues(transaction: Transaction, input: WebhookClaim): Promise<string[]> {
  const { endpoint, now, most, after, except } = input;
  const steps = most + except.length;
  const find = async (from: string) =>
    (await transaction.all(queuesAfter, { endpoint, now, after: from, steps })).map(({ queue }) => queue);
  const behind = await find(after);
  const chosen = chooseQueues(behind, except, most);
  return chosen.length === most || after === '' ? chosen : chooseQueues([...behind, ...(await find(''))], except, most);
}

async function eventsOf(transaction: Transaction, rows: readonly Row<'webhooks'>[]) {
  const ids = rows.map((row) => row.event_id);
  return new Map((await listBy(transaction, 'audit_events', 'id', ids)).map((row) => [row.id, row]));
}

/** Each step looks for the next queue in the index, so the cost does not depend on how many entries a queue has. */
const queuesAfter = statement<{ queue: string }>(({ value }) => {
  const next = (after: Sql) => sql`(select webhooks.line from webhooks where webhooks.endpoint = ${value('endpoint')}
    and webhooks.done_at is null and webhooks.line > ${after} and webhooks.due_at <= ${value('now')}
    order by webhooks.line limit 1)`;
  return sql`select line as queue from (with recursive heads (line, step) as (
    select ${next(value('after'))}, 1
    union all select ${next(sql`heads.line`)}, heads.step + 1 from heads
      where heads.line is not null and heads.step < ${value('steps')}
    ) select line from heads) as found where line is not null`;
});

const dueOfQueue = statement<Row<'webhooks'>>(
  ({ all, value, lock }) => sql`select ${all('webhooks')} from webhooks where endpoint = ${value('endpoint')}
    and done_at is null and line = ${value('queue')} and due_at <= ${value('now')}
    order by due_at, id limit ${value('most')} ${lock('skip')}`,
);

const anyBack = statement<{ id: string }>(
  ({ value }) => sql`select id from webhooks where endpoint = ${value('endpoint')}
    and done_at is null and line is null and due_at <= ${value('now')} limit 1`,
);

/** Sorted by the queue too, as the index is, although it is null in every row: otherwise PostgreSQL sorts all of them. */
const dueAgain = statement<Row<'webhooks'>>(
  ({ all, value, lock }) => sql`select ${all('webhooks')} from webhooks where endpoint = ${value('endpoint')}
    and done_at is null and line is null and due_at <= ${value('now')}
    order by line, due_at, id limit ${value('most')} ${lock('skip')}`,
);
