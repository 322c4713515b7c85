// The outbox in the store: a message is claimed by one node at a time, then finished, tried again later or parked.
import { countLate, isLate, takeBack } from '../../abuse/counted.ts';
import type { DatedEvent } from '../../kernel/audit.ts';
import { findWord } from '../../kernel/closed-list.ts';
import type { Message } from '../../messages/message-kinds.ts';
import { type OutboxState, outboxStates } from '../../messages/message-log.ts';
import type {
  BegunMessage,
  Channel,
  Claim,
  ClaimedMessage,
  HeldMessage,
  Parking,
  Retry,
  SentMessage,
} from '../../messages/outbox.ts';
import {
  beginMessage,
  claimAtOnce,
  claimMessage,
  giveBackMessage,
  type MessageProgress,
  mostTries,
  parkMessage,
  retryMessage,
} from '../../messages/outbox-rules.ts';
import { openRows, remove, update } from '../engine/rows.ts';
import type { Row } from '../engine/schema.ts';
import { type Sql, sql } from '../engine/sql.ts';
import { statement } from '../engine/statement.ts';
import { operation, reading, type Transaction } from '../engine/transaction.ts';
import { writeAudit } from './audit.ts';
import { openCounted, readCounted } from './counted-messages.ts';
import { keepInInbox } from './inbox.ts';

/** Each call takes its own messages. It skips what another node holds, and does not wait for it. */
export const claimMessages = operation((transaction, inputs: readonly Claim[]) =>
  claimDue(transaction, inputs, dueMessages),
);

export const claimExpiredMessages = operation((transaction, inputs: readonly Claim[]) =>
  claimDue(transaction, inputs, expiredMessages),
);

async function claimDue(
  transaction: Transaction,
  inputs: readonly Claim[],
  due: typeof dueMessages,
): Promise<ClaimedMessage[][]> {
  const outputs: ClaimedMessage[][] = [];
  for (const { channel, now, most, leaseSeconds } of inputs) {
    const rows = await transaction.all(due, { channel, now, most });
    const held = rows.map((row) => ({ ...row, ...fromProgress(claimMessage(toProgress(row), { now, leaseSeconds })) }));
    await update(transaction, 'outbox', held, ['state', 'tries', 'doubts', 'due_at']);
    outputs.push(held.map((row) => toClaimed(row, channel)));
  }
  return outputs;
}

export const finishMessages = operation(async (transaction, ids: readonly string[]) => {
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

export const finishSentMessages = operation(async (transaction, inputs: readonly (readonly SentMessage[])[]) => {
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

export const giveBackMessages = operation(async (transaction, inputs: readonly (readonly HeldMessage[])[]) => {
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

export const beginMessages = operation(async (transaction, inputs: readonly (readonly BegunMessage[])[]) => {
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

export const retryMessages = operation(async (transaction, inputs: readonly Retry[]) => {
  const messages = await openCounted(
    transaction,
    inputs.map((input) => input.id),
    { mayChange: (counted) => !isLate(counted) },
  );
  for (const { id, error, isOutage, ...retry } of inputs) {
    const row = messages.get(id);
    const progress = row && retryMessage(toProgress(row), retry);
    if (row === undefined || progress === undefined) continue;
    const known = isOutage && progress.doubts === 0 ? 'waiting' : 'doubtful';
    const settled = messages.settle(row, (counted) => takeBack(counted, known, messages.limits.get));
    messages.put({ ...settled, ...fromProgress(progress), last_error: error });
  }
  await messages.save();
  return inputs.map(() => undefined);
});

export const parkMessages = operation(async (transaction, inputs: readonly Parking[]) => {
  const messages = await openCounted(
    transaction,
    inputs.map((input) => input.id),
  );
  // A message that has left the outbox is not parked, and nothing is written down about it.
  const events = inputs.flatMap(({ id, error, isHopeless, detail, now, ...parking }): DatedEvent[] => {
    const row = messages.get(id);
    const progress = row && parkMessage(toProgress(row), parking);
    if (row === undefined || progress === undefined) return [];
    const left = isHopeless ? 'hopeless' : 'unsent';
    const known = progress.doubts > 0 ? 'doubtful' : left;
    const settled = messages.settle(row, (counted) => takeBack(counted, known, messages.limits.get));
    messages.put({ ...settled, ...fromProgress(progress), last_error: error });
    return [{ kind: 'message.parked', detail: { message: id, error, ...detail }, now }];
  });
  await Promise.all([messages.save(), writeAudit(transaction, events)]);
  return inputs.map(() => undefined);
});

type Aside = { readonly channel: Channel; readonly before: number; readonly most: number };

export const setAsideMessages = operation(async (transaction, inputs: readonly Aside[]): Promise<number[]> => {
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

export const measureOutbox = reading(async (transaction, inputs: readonly null[]) => {
  const [row] = await transaction.all(measured, {});
  const result = { waiting: row?.waiting ?? 0, parked: row?.parked ?? 0, oldestAt: row?.oldest ?? undefined };
  return inputs.map(() => result);
});

/** Messages without a doubt whose codes count among the unused ones. In this order the two lists stand in the text. */
const unusedMessages = statement<Pick<Row<'outbox'>, 'id'>>(
  ({ value }) => sql`select id from outbox where state = 'queued' and channel = ${value('channel')} and doubts = 0
    and created_at <= ${value('before')} and counted like '%["use",%"back":[]}'
    order by id limit ${value('most')}`,
);

const dueMessages = dueOf(() => sql``);

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
