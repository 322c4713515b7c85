// The inbox in the store.

import { readWord } from '../../../kernel/text/closed-list.ts';
import { channels } from '../../../messages/channel.ts';
import type { InboxMessage } from '../../../messages/inbox.ts';
import { openRows } from '../../engine/rows.ts';
import type { Row } from '../../engine/schema.ts';
import { sql } from '../../engine/sql.ts';
import { statement } from '../../engine/statement.ts';
import { reading, type Transaction } from '../../engine/transaction.ts';

/** Stores a message once, by its id. */
export async function keepInInbox(transaction: Transaction, kept: readonly InboxMessage[]): Promise<void> {
  if (kept.length === 0) return;
  const messages = await openRows(
    transaction,
    'inbox',
    'id',
    kept.map(({ id }) => id),
  );
  for (const message of kept) {
    messages.put({
      id: message.id,
      channel: message.channel,
      recipient: message.to,
      subject: message.subject ?? null,
      text: message.text,
      html: message.html ?? null,
      created_at: message.createdAt,
    });
  }
  await messages.save();
}

type Listing = { readonly to: string | undefined; readonly most: number };

export const list = reading(async (transaction, inputs: readonly Listing[]): Promise<InboxMessage[][]> => {
  const outputs: InboxMessage[][] = [];
  for (const { to, most } of inputs) {
    const rows = await (to === undefined ? transaction.all(newest, { most }) : transaction.all(newestTo, { to, most }));
    outputs.push(rows.map(toMessage));
  }
  return outputs;
});

const newest = statement<Row<'inbox'>>(
  ({ all, value }) => sql`select ${all('inbox')} from inbox order by created_at desc, id desc limit ${value('most')}`,
);

const newestTo = statement<Row<'inbox'>>(
  ({ all, value }) => sql`select ${all('inbox')} from inbox where lower(recipient) = lower(${value('to')})
    order by created_at desc, id desc limit ${value('most')}`,
);

function toMessage(row: Row<'inbox'>): InboxMessage {
  return {
    id: row.id,
    channel: readWord(channels, row.channel, 'inbox.channel'),
    to: row.recipient,
    ...(row.subject !== null && { subject: row.subject }),
    text: row.text,
    ...(row.html !== null && { html: row.html }),
    createdAt: row.created_at,
  };
}
