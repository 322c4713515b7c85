// The outbox as those who run the service see it: what waits or was parked, and giving a message all its tries again.
import type { Act } from '../../kernel/audit.ts';
import { readWord } from '../../kernel/closed-list.ts';
import { type OutboxEntry, outboxStates, type ResendOutcome } from '../../messages/message-log.ts';
import { channels } from '../../messages/outbox.ts';
import { readRecipient } from '../../messages/read-message.ts';
import { openRows } from '../engine/rows.ts';
import type { Row } from '../engine/schema.ts';
import { sql } from '../engine/sql.ts';
import { statement } from '../engine/statement.ts';
import { operation, reading } from '../engine/transaction.ts';
import { type DatedEvent, writeAudit } from './audit.ts';

type Listing = { readonly to: string | undefined; readonly most: number };

export const listOutbox = reading(async (transaction, inputs: readonly Listing[]): Promise<OutboxEntry[][]> => {
  const outputs: OutboxEntry[][] = [];
  for (const { to = '', most } of inputs) {
    const wanted = to.toLowerCase();
    const rows = await transaction.all(newest, { most, pattern: `%${JSON.stringify(wanted).slice(1, -1)}%` });
    const entries = rows.map(toEntry);
    // The text may stand elsewhere in the payload, and LIKE reads _ as any letter.
    outputs.push(wanted === '' ? entries : entries.filter((entry) => entry.to.toLowerCase() === wanted));
  }
  return outputs;
});

type Resend = { readonly id: string; readonly userId?: string; readonly by: Act; readonly now: number };

export const resendMessage = operation(async (transaction, inputs: readonly Resend[]): Promise<ResendOutcome[]> => {
  const messages = await openRows(
    transaction,
    'outbox',
    'id',
    inputs.map((input) => input.id),
  );
  const events: DatedEvent[] = [];
  const outcomes = inputs.map(({ id, userId, by, now }): ResendOutcome => {
    const row = messages.get(id);
    if (row === undefined) return 'gone';
    if (now >= row.expires_at) return 'expired';
    if (row.state === 'sending' && now < row.due_at) return 'sending';
    messages.put({ ...row, state: 'queued', tries: 0, doubts: 0, due_at: now, last_error: null });
    const ofUser = userId !== undefined && { userId };
    events.push({ kind: 'message.resent', ...ofUser, detail: { message: id, ...by }, now });
    return 'queued';
  });
  await Promise.all([messages.save(), writeAudit(transaction, events)]);
  return outcomes;
});

const newest = statement<Row<'outbox'>>(
  ({ all, value }) => sql`select ${all('outbox')} from outbox where lower(payload) like ${value('pattern')}
    order by created_at desc, id desc limit ${value('most')}`,
);

function toEntry(row: Row<'outbox'>): OutboxEntry {
  return {
    id: row.id,
    channel: readWord(channels, row.channel, 'outbox.channel'),
    kind: row.kind,
    to: readRecipient(JSON.parse(row.payload)),
    state: readWord(outboxStates, row.state, 'outbox.state'),
    tries: row.tries,
    error: row.last_error ?? undefined,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  };
}
