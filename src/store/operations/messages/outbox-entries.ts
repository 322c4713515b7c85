// The outbox as operators and staff see it: lists what waits or was parked, and queues a message anew with all its tries.

import { countAgain } from '../../../abuse/counted.ts';
import type { Act, DatedEvent } from '../../../kernel/audit.ts';
import type { UserId } from '../../../kernel/ids.ts';
import { readWord } from '../../../kernel/text/closed-list.ts';
import { channels } from '../../../messages/channel.ts';
import { type OutboxEntry, outboxStates, type ResendOutcome } from '../../../messages/message-log.ts';
import { judgeResend, mayHaveLeft, requeueMessage, showState } from '../../../messages/outbox-rules.ts';
import { readRecipient } from '../../../messages/read-message.ts';
import type { Row } from '../../engine/schema.ts';
import { sql } from '../../engine/sql.ts';
import { statement } from '../../engine/statement.ts';
import { operation, reading } from '../../engine/transaction.ts';
import { writeAudit } from '../audit.ts';
import { openCounted } from './counted-messages.ts';
import { fromProgress, toProgress } from './outbox.ts';

type Listing = { readonly to: string | undefined; readonly most: number };

export const listOutbox = reading(async (transaction, inputs: readonly Listing[]): Promise<OutboxEntry[][]> => {
  const outputs: OutboxEntry[][] = [];
  for (const { to = '', most } of inputs) {
    const wanted = to.toLowerCase();
    const rows = await transaction.all(newest, { most, pattern: `%${JSON.stringify(wanted).slice(1, -1)}%` });
    const entries = rows.map(toEntry);
    // The text may occur elsewhere in the payload, and LIKE reads _ as any letter.
    outputs.push(wanted === '' ? entries : entries.filter((entry) => entry.to.toLowerCase() === wanted));
  }
  return outputs;
});

type Resend = { readonly id: string; readonly userId?: UserId; readonly by: Act; readonly now: number };

export const resend = operation(async (transaction, inputs: readonly Resend[]): Promise<ResendOutcome[]> => {
  const messages = await openCounted(
    transaction,
    inputs.map((input) => input.id),
  );
  const events: DatedEvent[] = [];
  const outcomes = inputs.map(({ id, userId, by, now }): ResendOutcome => {
    const row = messages.get(id);
    const outcome = judgeResend(row && { ...toProgress(row), expiresAt: row.expires_at }, now);
    if (row === undefined || outcome !== 'queued') return outcome;
    const again = messages.settle(row, (counted) =>
      countAgain(counted, mayHaveLeft(toProgress(row)), messages.limits.get),
    );
    messages.put({ ...again, ...fromProgress(requeueMessage(now)), last_error: null });
    const ofUser = userId !== undefined && { userId };
    events.push({ kind: 'message.resent', ...ofUser, detail: { message: id, ...by }, now });
    return outcome;
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
    state: showState(readWord(outboxStates, row.state, 'outbox.state')),
    tries: row.tries,
    error: row.last_error ?? undefined,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  };
}
