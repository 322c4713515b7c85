// The queue of webhook events as operators see it: lists entries, and queues events again that apps got or missed.

import { webhookKinds } from '../../../backend/webhooks/webhook-event.ts';
import {
  type Replay,
  type WebhookEntry,
  type WebhookState,
  webhookStates,
} from '../../../backend/webhooks/webhook-queue.ts';
import { canReplay } from '../../../backend/webhooks/webhook-rules.ts';
import { firstIdAt } from '../../../kernel/crypto/random.ts';
import { readWord } from '../../../kernel/text/closed-list.ts';
import { listBy, openRows } from '../../engine/rows.ts';
import type { Row } from '../../engine/schema.ts';
import { sql } from '../../engine/sql.ts';
import { statement } from '../../engine/statement.ts';
import { operation, reading } from '../../engine/transaction.ts';
import { toEntry } from './webhooks.ts';

const sending: WebhookState = 'sending';

/** Ids are made before the commit and by clocks that differ a little. */
const slackMilliseconds = 10_000;

type Listing = { readonly since: number; readonly most: number };

export const list = reading(async (transaction, inputs: readonly Listing[]): Promise<WebhookEntry[][]> => {
  const outputs: WebhookEntry[][] = [];
  for (const { since, most } of inputs) {
    const rows = await transaction.all(newest, { first: firstIdAt(since), most });
    outputs.push(rows.map(toShown));
  }
  return outputs;
});

type Replayed = { readonly eventIds: readonly string[]; readonly next: string | undefined };

export const replay = operation(async (transaction, inputs: readonly Replay[]): Promise<Replayed[]> => {
  const outputs: Replayed[] = [];
  const allWanted: { readonly entry: Row<'webhooks'>; readonly now: number }[] = [];
  for (const { ids, since = 0, after = '', most, endpoints, now } of inputs) {
    const first = firstIdAt(since - slackMilliseconds);
    const found =
      ids === undefined
        ? await transaction.all(eventsSince, { after: after > first ? after : first, most })
        : await listBy(transaction, 'audit_events', 'id', ids);
    const wanted = endpoints.flatMap((endpoint) =>
      found.filter((event) => event.created_at >= since).flatMap((event) => toEntry(event, endpoint)),
    );
    allWanted.push(...wanted.map((entry) => ({ entry, now })));
    outputs.push({
      eventIds: [...new Set(wanted.map((entry) => entry.event_id))],
      next: ids === undefined && found.length === most ? found.at(-1)?.id : undefined,
    });
  }
  // The entries of all inputs are locked together, in the order of their key.
  const entries = await openRows(
    transaction,
    'webhooks',
    'id',
    allWanted.map(({ entry }) => entry.id),
  );
  for (const { entry, now } of allWanted) {
    const known = entries.get(entry.id);
    const progress = known && { isSending: known.state === sending, dueAt: known.due_at };
    if (canReplay(progress, now)) entries.put({ ...entry, due_at: now });
  }
  await entries.save();
  return outputs;
});

const newest = statement<Row<'webhooks'>>(
  ({ all, value }) => sql`select ${all('webhooks')} from webhooks where id >= ${value('first')}
    order by id desc limit ${value('most')}`,
);

const eventsSince = statement<Row<'audit_events'>>(({ all, value }) => {
  const kinds = sql.join(webhookKinds.map((kind) => sql.lit(kind)));
  return sql`select ${all('audit_events')} from audit_events where id > ${value('after')}
    and kind in (${kinds}) order by id limit ${value('most')}`;
});

function toShown(row: Row<'webhooks'>): WebhookEntry {
  return {
    eventId: row.event_id,
    type: row.type,
    endpoint: row.endpoint,
    state: readWord(webhookStates, row.state, 'webhooks.state'),
    tries: row.tries,
    error: row.last_error ?? undefined,
    createdAt: row.created_at,
    dueAt: row.done_at === null ? row.due_at : undefined,
    doneAt: row.done_at ?? undefined,
  };
}
