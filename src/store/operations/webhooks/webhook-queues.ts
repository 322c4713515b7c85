// The lines of webhook events in the store: due entries line up by user, and a claim takes the first of each line in turn.
import type { ClaimedWebhook, WebhookClaim } from '../../../backend/webhooks/webhook-queue.ts';
import { chooseLines, claimWebhook, lineOf } from '../../../backend/webhooks/webhook-rules.ts';
import { listBy, update } from '../../engine/rows.ts';
import type { Row } from '../../engine/schema.ts';
import { type Sql, sql } from '../../engine/sql.ts';
import { statement } from '../../engine/statement.ts';
import { operation, reading, type Transaction } from '../../engine/transaction.ts';
import { toEvent } from '../audit-listing.ts';

type At = { readonly endpoint: string; readonly now: number };

export const look = reading(async (transaction, inputs: readonly At[]) => {
  const outputs: { isInLine: boolean; isBack: boolean }[] = [];
  for (const { endpoint, now } of inputs) {
    const inLine = await transaction.all(linesAfter, { endpoint, now, after: '', steps: 1 });
    const back = await transaction.all(anyBack, { endpoint, now });
    outputs.push({ isInLine: inLine.length > 0, isBack: back.length > 0 });
  }
  return outputs;
});

/** Skips what another node holds, and does not wait for it. */
export const lineUp = operation(
  async (transaction, inputs: readonly (At & { readonly most: number })[]): Promise<number[]> => {
    const outputs: number[] = [];
    for (const input of inputs) {
      const back = await transaction.all(dueAgain, input);
      const events = await eventsOf(transaction, back);
      const lined = back.map((row) => {
        const userId = events.get(row.event_id)?.user_id ?? undefined;
        return { ...row, line: lineOf({ id: row.event_id, userId }) };
      });
      await update(transaction, 'webhooks', lined, ['line']);
      outputs.push(lined.length);
    }
    return outputs;
  },
);

/** Skips what another node holds, and does not wait for it. */
export const claim = operation(async (transaction, inputs: readonly WebhookClaim[]): Promise<ClaimedWebhook[][]> => {
  const outputs: ClaimedWebhook[][] = [];
  for (const input of inputs) {
    const { endpoint, now, mostOfLine, leaseSeconds } = input;
    const lines = await findLines(transaction, input);
    const due = await Promise.all(
      lines.map((line) => transaction.all(dueOfLine, { endpoint, now, line, most: mostOfLine })),
    );
    const rows = due.flat();
    const held = rows.map((row) => {
      const { state, tries, dueAt } = claimWebhook(row, { now, leaseSeconds });
      // It leaves its line. If it is due again, it lines up again.
      return { ...row, state, tries, due_at: dueAt, line: null };
    });
    await update(transaction, 'webhooks', held, ['state', 'tries', 'due_at', 'line']);
    const events = await eventsOf(transaction, rows);
    outputs.push(
      held.map(({ id, event_id: eventId, tries, created_at: createdAt }, index): ClaimedWebhook => {
        const event = events.get(eventId);
        return { id, eventId, line: rows[index]?.line ?? eventId, event: event && toEvent(event), tries, createdAt };
      }),
    );
  }
  return outputs;
});

/** Goes around: from the line behind `after` to the last, then from the first. */
async function findLines(transaction: Transaction, input: WebhookClaim): Promise<string[]> {
  const { endpoint, now, most, after, except } = input;
  const steps = most + except.length;
  const find = async (from: string) =>
    (await transaction.all(linesAfter, { endpoint, now, after: from, steps })).map(({ line }) => line);
  const behind = await find(after);
  const chosen = chooseLines(behind, except, most);
  return chosen.length === most || after === '' ? chosen : chooseLines([...behind, ...(await find(''))], except, most);
}

async function eventsOf(transaction: Transaction, rows: readonly Row<'webhooks'>[]) {
  const ids = rows.map((row) => row.event_id);
  return new Map((await listBy(transaction, 'audit_events', 'id', ids)).map((row) => [row.id, row]));
}

/** Each step looks for the next line in the index, so the cost does not depend on how many entries stand in a line. */
const linesAfter = statement<{ line: string }>(({ value }) => {
  const next = (after: Sql) => sql`(select webhooks.line from webhooks where webhooks.endpoint = ${value('endpoint')}
    and webhooks.done_at is null and webhooks.line > ${after} and webhooks.due_at <= ${value('now')}
    order by webhooks.line limit 1)`;
  return sql`select line from (with recursive heads (line, step) as (
    select ${next(value('after'))}, 1
    union all select ${next(sql`heads.line`)}, heads.step + 1 from heads
      where heads.line is not null and heads.step < ${value('steps')}
    ) select line from heads) as found where line is not null`;
});

const dueOfLine = statement<Row<'webhooks'>>(
  ({ all, value, lock }) => sql`select ${all('webhooks')} from webhooks where endpoint = ${value('endpoint')}
    and done_at is null and line = ${value('line')} and due_at <= ${value('now')}
    order by due_at, id limit ${value('most')} ${lock('skip')}`,
);

const anyBack = statement<{ id: string }>(
  ({ value }) => sql`select id from webhooks where endpoint = ${value('endpoint')}
    and done_at is null and line is null and due_at <= ${value('now')} limit 1`,
);

/** Sorted by the line too, as the index is, although it is null in every row: PostgreSQL would sort all of them. */
const dueAgain = statement<Row<'webhooks'>>(
  ({ all, value, lock }) => sql`select ${all('webhooks')} from webhooks where endpoint = ${value('endpoint')}
    and done_at is null and line is null and due_at <= ${value('now')}
    order by line, due_at, id limit ${value('most')} ${lock('skip')}`,
);
