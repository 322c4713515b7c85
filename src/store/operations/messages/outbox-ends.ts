// How messages leave the outbox: sent, dropped, parked or set aside in an outage, with the limits that they were counted in.
import { countLate, isLate, keepCaller, takeBack } from '../../../abuse/counted.ts';
import type { DatedEvent } from '../../../kernel/audit.ts';
import type { Channel } from '../../../messages/channel.ts';
import type { OutboxState } from '../../../messages/message-log.ts';
import type { Parking, SentMessage } from '../../../messages/outbox.ts';
import { parkMessage } from '../../../messages/outbox-rules.ts';
import { remove } from '../../engine/rows.ts';
import type { Row } from '../../engine/schema.ts';
import { sql } from '../../engine/sql.ts';
import { statement } from '../../engine/statement.ts';
import { operation, type Transaction } from '../../engine/transaction.ts';
import { writeAudit } from '../audit.ts';
import { openCounted } from './counted-messages.ts';
import { keepInInbox } from './inbox.ts';
import { fromProgress, toProgress } from './outbox.ts';

export const finish = operation(async (transaction, ids: readonly string[]) => {
  const messages = await openCounted(transaction, ids);
  for (const id of new Set(ids)) {
    const row = messages.get(id);
    if (row === undefined) continue;
    const known = row.doubts > 0 ? 'doubtful' : 'unsent';
    messages.settle(row, (counted) => takeBack(counted, known, messages.limits.get));
  }
  await messages.limits.save();
  await remove(
    transaction,
    'outbox',
    ids.map((id) => ({ id })),
  );
  return ids.map(() => undefined);
});

export const finishSent = operation(async (transaction, inputs: readonly (readonly SentMessage[])[]) => {
  const sent = inputs.flat();
  const keep = () =>
    keepInInbox(
      transaction,
      sent.flatMap(({ kept }) => kept ?? []),
    );
  const late = sent.filter(({ isLate: isOne, id }, place) => isOne && sent.findIndex((one) => one.id === id) === place);
  if (late.length === 0) await keep();
  else await countLateMessages(transaction, late, keep);
  await Promise.all([
    remove(
      transaction,
      'outbox',
      sent.map(({ id }) => ({ id })),
    ),
    writeAudit(
      transaction,
      sent.map(({ id, detail, now }) => ({ kind: 'message.sent', detail: { message: id, ...detail }, now })),
    ),
  ]);
  return inputs.map(() => undefined);
});

async function countLateMessages(
  transaction: Transaction,
  late: readonly SentMessage[],
  between: () => Promise<void>,
): Promise<void> {
  const ids = late.map(({ id }) => id);
  const messages = await openCounted(transaction, ids, { mayChange: isLate, between });
  for (const id of ids) {
    const row = messages.get(id);
    if (row !== undefined)
      messages.settle(row, (counted) => ({ counted, counts: countLate(counted, messages.limits.get) }));
  }
  await messages.limits.save();
}

export const park = operation(async (transaction, inputs: readonly Parking[]) => {
  const messages = await openCounted(
    transaction,
    inputs.map((input) => input.id),
  );
  // A message that has left the outbox is not parked, and nothing is written down about it.
  const events = inputs.flatMap(({ id, error, isAboutRecipient, detail, now, ...parking }): DatedEvent[] => {
    const row = messages.get(id);
    const progress = row && parkMessage(toProgress(row), parking);
    if (row === undefined || progress === undefined) return [];
    const known = progress.doubts > 0 ? 'doubtful' : 'unsent';
    const settled = messages.settle(row, (counted) =>
      takeBack(isAboutRecipient ? keepCaller(counted) : counted, known, messages.limits.get),
    );
    messages.put({ ...settled, ...fromProgress(progress), last_error: error });
    return [{ kind: 'message.parked', detail: { message: id, error, ...detail }, now }];
  });
  await Promise.all([messages.save(), writeAudit(transaction, events)]);
  return inputs.map(() => undefined);
});

type Aside = { readonly channel: Channel; readonly before: number; readonly most: number };

export const setAside = operation(async (transaction, inputs: readonly Aside[]): Promise<number[]> => {
  const ids = new Set<string>();
  const outputs: number[] = [];
  for (const { most, ...input } of inputs) {
    const found = await transaction.all(unusedMessages, { ...input, most: most + ids.size });
    const others = found.filter(({ id }) => !ids.has(id)).slice(0, most);
    for (const { id } of others) ids.add(id);
    outputs.push(others.length);
  }
  const messages = await openCounted(transaction, [...ids]);
  for (const id of ids) {
    const row = messages.get(id);
    if (row?.state !== ('queued' satisfies OutboxState) || row.doubts > 0) continue;
    messages.put(messages.settle(row, (counted) => takeBack(counted, 'waiting', messages.limits.get)));
  }
  await messages.save();
  return outputs;
});

/** Messages without a doubt whose codes count among the unused ones. In this order the two lists stand in the text. */
const unusedMessages = statement<Pick<Row<'outbox'>, 'id'>>(
  ({ value }) => sql`select id from outbox where state = 'queued' and channel = ${value('channel')} and doubts = 0
    and created_at <= ${value('before')} and counted like '%["use",%"back":[]}'
    order by id limit ${value('most')}`,
);
