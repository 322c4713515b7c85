// The outbox in the store: a message is claimed by one node at a time, begun, given back or tried again later.
import { isLate, keepCaller, takeBack } from '../../../abuse/counted.ts';
import { findWord } from '../../../kernel/text/closed-list.ts';
import type { Channel } from '../../../messages/channel.ts';
import type { Message } from '../../../messages/message-kinds.ts';
import { type OutboxState, outboxStates } from '../../../messages/message-log.ts';
import type { BegunMessage, Claim, ClaimedMessage, HeldMessage, Retry } from '../../../messages/outbox.ts';
import {
  beginMessage,
  claimAtOnce,
  claimMessage,
  giveBackMessage,
  type MessageProgress,
  mostTries,
  retryMessage,
} from '../../../messages/outbox-rules.ts';
import { openRows, update } from '../../engine/rows.ts';
import type { Row } from '../../engine/schema.ts';
import { type Sql, sql } from '../../engine/sql.ts';
import { statement } from '../../engine/statement.ts';
import { operation, reading, type Transaction } from '../../engine/transaction.ts';
import { openCounted, readCounted } from './counted-messages.ts';

/** Each call takes its own messages. It skips what another node holds, and does not wait for it. */
export const claim = operation((transaction, inputs: readonly Claim[]) =>
  claimDue(transaction, inputs, async ({ isProbe = false, ...due }) => {
    const probes = isProbe ? await transaction.all(probingMessages, due) : [];
    return probes.length > 0 ? probes : transaction.all(dueMessages, due);
  }),
);

export const claimExpired = operation((transaction, inputs: readonly Claim[]) =>
  claimDue(transaction, inputs, (due) => transaction.all(expiredMessages, due)),
);

async function claimDue(
  transaction: Transaction,
  inputs: readonly Claim[],
  find: (due: Omit<Claim, 'leaseSeconds'>) => Promise<Row<'outbox'>[]>,
): Promise<ClaimedMessage[][]> {
  const outputs: ClaimedMessage[][] = [];
  for (const { leaseSeconds, ...due } of inputs) {
    const { channel, now } = due;
    const rows = await find(due);
    const held = rows.map((row) => ({ ...row, ...fromProgress(claimMessage(toProgress(row), { now, leaseSeconds })) }));
    await update(transaction, 'outbox', held, ['state', 'tries', 'doubts', 'due_at']);
    outputs.push(held.map((row) => toClaimed(row, channel)));
  }
  return outputs;
}

export const giveBack = operation(async (transaction, inputs: readonly (readonly HeldMessage[])[]) => {
  const held = inputs.flat();
  const messages = await openRows(
    transaction,
    'outbox',
    'id',
    held.map(({ id }) => id),
  );
  for (const { id, heldUntil } of held) {
    const row = messages.get(id);
    const progress = row && giveBackMessage(toProgress(row), { heldUntil, createdAt: row.created_at });
    if (row !== undefined && progress !== undefined) messages.put({ ...row, ...fromProgress(progress) });
  }
  await messages.save();
  return inputs.map(() => undefined);
});

export const begin = operation(async (transaction, inputs: readonly (readonly BegunMessage[])[]) => {
  const messages = await openRows(
    transaction,
    'outbox',
    'id',
    inputs.flat().map(({ id }) => id),
  );
  const outputs = inputs.map((begun) =>
    begun.map(({ id, ...lease }) => {
      const row = messages.get(id);
      const progress = row && beginMessage(toProgress(row), { ...lease, kind: row.kind });
      if (row !== undefined && progress !== undefined) messages.put({ ...row, ...fromProgress(progress) });
      return progress !== undefined;
    }),
  );
  await messages.save();
  return outputs;
});

export const retry = operation(async (transaction, inputs: readonly Retry[]) => {
  const messages = await openCounted(
    transaction,
    inputs.map((input) => input.id),
    { mayChange: (counted) => !isLate(counted) },
  );
  for (const { id, error, isOutage, isAboutRecipient, ...retry } of inputs) {
    const row = messages.get(id);
    const progress = row && retryMessage(toProgress(row), retry);
    if (row === undefined || progress === undefined) continue;
    const known = isOutage && progress.doubts === 0 ? 'waiting' : 'doubtful';
    const settled = messages.settle(row, (counted) =>
      takeBack(isAboutRecipient ? keepCaller(counted) : counted, known, messages.limits.get),
    );
    messages.put({ ...settled, ...fromProgress(progress), last_error: error });
  }
  await messages.save();
  return inputs.map(() => undefined);
});

export const measure = reading(async (transaction, inputs: readonly null[]) => {
  const [row] = await transaction.all(measured, {});
  const result = { waiting: row?.waiting ?? 0, parked: row?.parked ?? 0, oldestAt: row?.oldest ?? undefined };
  return inputs.map(() => result);
});

const dueMessages = dueOf(() => sql``);

/** By their ids, which follow the time: the newest end of a long queue is found without reading the rest. */
const probingMessages = statement<Row<'outbox'>>(
  ({ all, value, lock }) => sql`select ${all('outbox')} from outbox
    where state <> 'parked' and channel = ${value('channel')} and due_at <= ${value('now')} and tries = 0
    order by id desc limit ${value('most')} ${lock('skip')}`,
);

const expiredMessages = dueOf((value) => sql` and expires_at <= ${value('now')}`);

function dueOf(condition: (value: (name: string) => Sql) => Sql) {
  return statement<Row<'outbox'>>(
    ({ all, value, lock }) => sql`select ${all('outbox')} from outbox
      where state <> 'parked' and channel = ${value('channel')} and due_at <= ${value('now')}${condition((name) => value(name))}
      order by due_at, id limit ${value('most')} ${lock('skip')}`,
  );
}

/** Only a notice waits after so many tries. One bad address must not look as if no code were sent. */
const measured = statement<{ waiting: number; parked: number; oldest: number | null }>(
  () => sql`select
    coalesce(sum(case when state <> 'parked' then 1 else 0 end), 0) as waiting,
    coalesce(sum(case when state = 'parked' then 1 else 0 end), 0) as parked,
    min(case when state <> 'parked' and tries < ${sql.lit(mostTries)} then created_at end) as oldest from outbox`,
);

export function toProgress(row: Row<'outbox'>): MessageProgress {
  return { state: findWord(outboxStates, row.state), tries: row.tries, doubts: row.doubts, dueAt: row.due_at };
}

export function fromProgress({ state, tries, doubts, dueAt }: MessageProgress & { readonly state: OutboxState }) {
  return { state, tries, doubts, due_at: dueAt };
}

export function toMessageRow(message: Message): Row<'outbox'> {
  return {
    id: message.id,
    channel: message.channel,
    kind: message.kind,
    payload: JSON.stringify(message.payload),
    state: 'queued' satisfies OutboxState,
    tries: 0,
    doubts: 0,
    due_at: message.createdAt,
    created_at: message.createdAt,
    expires_at: message.expiresAt,
    last_error: null,
    counted: null,
  };
}

/** The row of a message that the node which queues it has claimed. */
export function toClaimedRow(message: Message, lease: { readonly now: number; readonly leaseSeconds: number }) {
  return { ...toMessageRow(message), ...fromProgress(claimAtOnce(lease)) };
}

function toClaimed(row: Row<'outbox'>, channel: Channel): ClaimedMessage {
  const counted = readCounted(row);
  return {
    id: row.id,
    channel,
    kind: row.kind,
    payload: JSON.parse(row.payload),
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    tries: row.tries,
    doubts: row.doubts,
    heldUntil: row.due_at,
    ...(counted !== undefined && isLate(counted) && { isLate: true }),
  };
}
