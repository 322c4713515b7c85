// Removes rows whose time is over, a small batch at a time, so that no table grows with time and no request waits.
import { firstIdAt } from '../../kernel/random.ts';
import { planRetention, type RetentionInput } from '../../kernel/retention.ts';
import { sweepLog } from '../../service/event-log.ts';
import { dayOf } from '../../support/day-counts.ts';
import { update } from '../engine/rows.ts';
import { keyOf, type Row, type TableName } from '../engine/schema.ts';
import { type Args, type Sql, sql } from '../engine/sql.ts';
import { type Statement, statement } from '../engine/statement.ts';
import type { SweepTarget } from '../engine/sweep-targets.ts';
import { operation, type Transaction } from '../engine/transaction.ts';
import { logSlot, toLog } from './event-log.ts';
import { recordUses } from './last-uses.ts';

type Condition = (value: (name: string) => Sql) => Sql;

const isPastSweep: Condition = (value) => sql`sweep_at < ${value('now')}`;

/** The rows that go, by table and condition. An index finds the rows of each condition. */
const conditions = {
  challenges: ['challenges', isPastSweep],
  loginLinks: ['login_links', isPastSweep],
  noticeLinks: ['notice_links', isPastSweep],
  appCodes: ['app_codes', isPastSweep],
  limits: ['limits', isPastSweep],
  captchas: ['captchas', isPastSweep],
  idempotencyKeys: ['idempotency_keys', isPastSweep],
  uploads: ['uploads', isPastSweep],
  fileLinks: ['file_links', isPastSweep],
  receipts: ['receipts', isPastSweep],
  orphans: ['orphans', isPastSweep],
  endedSessions: ['sessions', (value) => sql`ended_at < ${value('endedBefore')}`],
  oldSessions: ['sessions', (value) => sql`id < ${value('sessionBefore')} and ends_at < ${value('endedBefore')}`],
  signingKeys: [
    'signing_keys',
    (value) => sql`active_from < ${value('keyBefore')} and generation < (select max(generation) - 1 from signing_keys)`,
  ],
  inbox: ['inbox', (value) => sql`id < ${value('inboxBefore')}`],
  parked: ['outbox', (value) => sql`id < ${value('parkedBefore')} and state = 'parked'`],
  doneWebhooks: ['webhooks', (value) => sql`done_at < ${value('webhooksBefore')}`],
  oldWebhooks: ['webhooks', (value) => sql`id < ${value('oldWebhooksBefore')}`],
  auditEvents: ['audit_events', (value) => sql`id < ${value('auditBefore')}`],
  dayCounts: ['day_counts', (value) => sql`day < ${value('firstDay')}`],
  admins: ['admins', (value) => sql`ends_at < ${value('adminBefore')}`],
  serviceKeys: ['service_keys', (value) => sql`expires_at < ${value('serviceKeyBefore')}`],
} as const satisfies Record<SweepTarget, readonly [TableName, Condition]>;

export type Sweep = RetentionInput & { readonly target: SweepTarget; readonly most: number };

/** Gives how many rows were removed. */
export const sweepTable = operation(async (transaction, inputs: readonly Sweep[]): Promise<number[]> => {
  const counts: number[] = [];
  for (const input of inputs) {
    const { target, now, most } = input;
    const before = planRetention(input);
    const values = {
      now,
      most,
      endedBefore: before.endedSessions,
      sessionBefore: firstIdAt(before.oldSessions),
      inboxBefore: firstIdAt(before.inbox),
      parkedBefore: firstIdAt(before.parkedMessages),
      auditBefore: firstIdAt(before.auditEvents),
      firstDay: dayOf(before.dayCounts),
      adminBefore: before.admins,
      serviceKeyBefore: before.serviceKeys,
      webhooksBefore: before.doneWebhooks,
      oldWebhooksBefore: firstIdAt(before.oldWebhooks),
      keyBefore: before.signingKeys,
    };
    counts.push((await sweepTarget(transaction, target, values)).length);
  }
  return counts;
});

function sweepTarget(transaction: Transaction, target: SweepTarget, values: Args): Promise<unknown[]> {
  if (target === 'endedSessions' || target === 'oldSessions')
    return sweepSessions(transaction, overSessions[target], values);
  return target === 'auditEvents' ? sweepEvents(transaction, values) : transaction.all(statements[target], values);
}

/**
 * The log learns in the same commit up to where its events are gone. While a reader holds the log, the sweep leaves the events to
 * its next round.
 */
async function sweepEvents(transaction: Transaction, values: Args): Promise<unknown[]> {
  const logs = await transaction.all(everyLog, {});
  const [log] = await transaction.all(freeLog, {});
  if (logs.length > 0 && log === undefined) return [];
  const gone = await transaction.all(removeEvents, values);
  if (log === undefined) return gone;
  const { lastPosition, sweptPosition } = sweepLog(
    toLog(log),
    gone.filter(({ order_no }) => order_no !== null).map(({ position }) => ({ position: position ?? undefined })),
  );
  const next = { ...log, last_position: lastPosition, swept_position: sweptPosition };
  const isSame = next.last_position === log.last_position && next.swept_position === log.swept_position;
  if (!isSame) await update(transaction, 'event_log', [next], ['last_position', 'swept_position']);
  return gone;
}

const everyLog = statement<unknown>(() => sql`select slot from event_log where slot = ${sql.lit(logSlot)}`);

const freeLog = statement<Row<'event_log'>>(
  ({ all, lock }) => sql`select ${all('event_log')} from event_log where slot = ${sql.lit(logSlot)} ${lock('skip')}`,
);

type Over = Pick<Row<'sessions'>, 'id' | 'user_id' | 'last_used_at'>;

/** Users are locked before sessions, as everywhere: the sessions are first found without a lock. One that is over is never used again. */
async function sweepSessions(transaction: Transaction, over: Statement<Over>, values: Args): Promise<unknown[]> {
  const free = await recordUses(transaction, await transaction.all(over, values));
  return free.length === 0 ? [] : transaction.all(removeFreeSessions, { rows: free.map((id) => ({ id })) });
}

const overSessions = {
  endedSessions: overOf('endedSessions'),
  oldSessions: overOf('oldSessions'),
} as const satisfies Partial<Record<SweepTarget, Statement<Over>>>;

function overOf(target: 'endedSessions' | 'oldSessions'): Statement<Over> {
  const [, isOver] = conditions[target];
  return statement<Over>(
    ({ value }) => sql`select id, user_id, last_used_at from sessions where ${isOver((name) => value(name))}
      limit ${value('most')}`,
  );
}

const removeFreeSessions = statement<unknown>(({ dialect, isAmong, lock }) => {
  const isWanted = isAmong('sessions', 'id', 'rows');
  const free = sql`select id from sessions where ${isWanted} ${lock('skip')}`;
  return sql`delete from sessions where ${dialect === 'postgres' ? sql`id = any(array(${free}))` : isWanted} returning id`;
});

const statements = Object.fromEntries(
  Object.entries(conditions).map(([target, [table, isOver]]) => [target, targetOf(table, isOver)]),
) as Record<SweepTarget, Statement<unknown>>;

const removeEvents = targetOf<Pick<Row<'audit_events'>, 'order_no' | 'position'>>(
  ...conditions.auditEvents,
  sql`, order_no, position`,
);

function targetOf<Gone = unknown>(table: TableName, isOver: Condition, alsoReturned: Sql = sql``): Statement<Gone> {
  return statement<Gone>(({ dialect, value, lock }) => {
    const key = sql.ref(keyOf(table)[0] ?? 'id');
    // Skips rows that a request holds: it may be about to renew them.
    const over = sql`select ${key} from ${sql.table(table)} where ${isOver((name) => value(name))}
      limit ${value('most')} ${lock('skip')}`;
    // As an array, PostgreSQL finds the keys once and then by index; as a subquery it may read the whole table.
    const isChosen = dialect === 'postgres' ? sql`${key} = any(array(${over}))` : sql`${key} in (${over})`;
    return sql`delete from ${sql.table(table)} where ${isChosen} returning ${key}${alsoReturned}`;
  });
}
