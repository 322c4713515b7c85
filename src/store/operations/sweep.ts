// Removes rows whose time is over, a batch at a time, so that no table grows with time and no request waits.

import { type SweptEvents, sweepLog } from '../../backend/event-log.ts';
import { firstIdAt } from '../../kernel/crypto/random.ts';
import { planRetention, type RetentionInput } from '../../kernel/retention.ts';
import { dayOf } from '../../support/day-counts.ts';
import { update } from '../engine/rows.ts';
import { type ColumnOf, keyOf, type Row, type TableName } from '../engine/schema.ts';
import { type Args, type Sql, sql } from '../engine/sql.ts';
import { type Statement, statement } from '../engine/statement.ts';
import type { SweepTarget } from '../engine/sweep-targets.ts';
import { tables } from '../engine/tables.ts';
import { operation, type Transaction } from '../engine/transaction.ts';
import { recordUses } from './auth/sessions/last-uses.ts';
import { logSlot, toLog } from './backend/event-log.ts';

type Condition = (value: (name: string) => Sql) => Sql;

const isPastSweep: Condition = (value) => sql`sweep_at < ${value('now')}`;

/**
 * The rows that go, by table, column and condition. An index that begins with the column finds them from the oldest on, so a batch
 * reads few rows that stay (test/store/postgres/sweep-plans.live.test.ts).
 */
const conditions = {
  challenges: ['challenges', 'sweep_at', isPastSweep],
  loginLinks: ['login_links', 'sweep_at', isPastSweep],
  noticeLinks: ['notice_links', 'sweep_at', isPastSweep],
  appCodes: ['app_codes', 'sweep_at', isPastSweep],
  limits: ['limits', 'sweep_at', isPastSweep],
  captchas: ['captchas', 'sweep_at', isPastSweep],
  idempotencyKeys: ['idempotency_keys', 'sweep_at', isPastSweep],
  uploads: ['uploads', 'sweep_at', isPastSweep],
  fileLinks: ['file_links', 'sweep_at', isPastSweep],
  receipts: ['receipts', 'sweep_at', isPastSweep],
  orphans: ['orphans', 'sweep_at', isPastSweep],
  endedSessions: ['sessions', 'ended_at', (value) => sql`ended_at < ${value('sessionBefore')}`],
  oldSessions: ['sessions', 'ends_at', (value) => sql`ends_at < ${value('sessionBefore')}`],
  signingKeys: [
    'signing_keys',
    'generation',
    (value) => sql`active_from < ${value('keyBefore')} and generation < (select max(generation) - 1 from signing_keys)`,
  ],
  inbox: ['inbox', 'id', (value) => sql`id < ${value('inboxBefore')}`],
  parked: ['outbox', 'id', (value) => sql`id < ${value('parkedBefore')} and state = 'parked'`],
  doneWebhooks: ['webhooks', 'done_at', (value) => sql`done_at < ${value('webhooksBefore')}`],
  oldWebhooks: ['webhooks', 'id', (value) => sql`id < ${value('oldWebhooksBefore')}`],
  auditEvents: ['audit_events', 'id', (value) => sql`id < ${value('auditBefore')}`],
  dayCounts: ['day_counts', 'day', (value) => sql`day < ${value('firstDay')}`],
  admins: ['admins', 'ends_at', (value) => sql`ends_at < ${value('adminBefore')}`],
  serviceKeys: ['service_keys', 'expires_at', (value) => sql`expires_at < ${value('serviceKeyBefore')}`],
} as const satisfies Record<SweepTarget, { [T in TableName]: readonly [T, ColumnOf<T>, Condition] }[TableName]>;

/** A value of the column of the target. */
export type SweepPlace = string | number;

export type Sweep = RetentionInput & {
  readonly target: SweepTarget;
  readonly most: number;
  /** Where the last batch ended: what it removed before is not looked at again. */
  readonly after?: SweepPlace | undefined;
};

/** `next` is undefined if nothing is left, or if the rest waits for the next round. */
export type SweptBatch = { readonly removed: number; readonly next: SweepPlace | undefined };

export const sweep = operation(async (transaction, inputs: readonly Sweep[]): Promise<SweptBatch[]> => {
  await transaction.all(alongIndexes, {});
  const batches: SweptBatch[] = [];
  for (const input of inputs) {
    const { target, now, most, after = firstOf(target) } = input;
    const before = planRetention(input);
    const values = {
      now,
      most,
      after,
      sessionBefore: before.sessions,
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
    batches.push(await sweepTarget(transaction, target, values));
  }
  return batches;
});

/** For this transaction. With statistics of a small table, PostgreSQL would collect all rows that are over, and sort them for each batch. */
export const alongIndexes = statement<unknown>(({ dialect }) =>
  dialect === 'postgres' ? sql`select set_config('enable_sort', 'off', true)` : sql`select 1`,
);

function firstOf(target: SweepTarget): SweepPlace {
  const [table, column] = conditions[target];
  const columns: Readonly<Record<string, string>> = tables[table].columns;
  return columns[column]?.startsWith('text') ? '' : 0;
}

type Values = Args & { readonly most: number };

/** The statement that finds the rows of a target, and the column along which it does. */
export function searchOf(target: SweepTarget): { readonly column: string; readonly statement: Statement<unknown> } {
  const isOfSessions = target === 'endedSessions' || target === 'oldSessions';
  return { column: conditions[target][1], statement: isOfSessions ? overSessions[target] : statements[target] };
}

async function sweepTarget(transaction: Transaction, target: SweepTarget, values: Values): Promise<SweptBatch> {
  if (target === 'endedSessions' || target === 'oldSessions')
    return sweepSessions(transaction, overSessions[target], values);
  if (target === 'auditEvents') return sweepEvents(transaction, values);
  return toBatch(await transaction.all(statements[target], values), values);
}

/** PostgreSQL counts what is gone, SQLite gives a row for each. */
type Gone = { readonly removed: number; readonly place: SweepPlace | null };

function toBatch(gone: readonly Gone[], { most }: Values): SweptBatch {
  const removed = gone.reduce((sum, each) => sum + each.removed, 0);
  const places = gone.map(({ place }) => place ?? '');
  const last = places.reduce((highest, place) => (place > highest ? place : highest), places[0] ?? '');
  return { removed, next: removed < most ? undefined : last };
}

/**
 * The log learns in the same commit up to where its events are gone. While a reader holds the log, the sweep leaves the events to
 * its next round.
 */
async function sweepEvents(transaction: Transaction, values: Values): Promise<SweptBatch> {
  const logs = await transaction.all(everyLog, {});
  const [log] = await transaction.all(freeLog, {});
  if (logs.length > 0 && log === undefined) return { removed: 0, next: undefined };
  const gone = await transaction.all(removeEvents, values);
  if (log === undefined) return toBatch(gone, values);
  const { lastPosition, sweptPosition } = sweepLog(toLog(log), toSwept(gone));
  const next = { ...log, last_position: lastPosition, swept_position: sweptPosition };
  const isSame = next.last_position === log.last_position && next.swept_position === log.swept_position;
  if (!isSame) await update(transaction, 'event_log', [next], ['last_position', 'swept_position']);
  return toBatch(gone, values);
}

function toSwept(gone: readonly GoneEvents[]): SweptEvents {
  const highest = gone.reduce((most, { highest }) => Math.max(most, highest ?? 0), 0);
  return { highest, hasUnplaced: gone.some(({ unplaced }) => unplaced === 1) };
}

const everyLog = statement<unknown>(() => sql`select slot from event_log where slot = ${sql.lit(logSlot)}`);

const freeLog = statement<Row<'event_log'>>(
  ({ all, lock }) => sql`select ${all('event_log')} from event_log where slot = ${sql.lit(logSlot)} ${lock('skip')}`,
);

type Over = Pick<Row<'sessions'>, 'id' | 'user_id' | 'last_used_at'> & { readonly place: number };

/** Users are locked before sessions, as everywhere: the sessions are first found without a lock. One that is over is never used again. */
async function sweepSessions(transaction: Transaction, over: Statement<Over>, values: Values): Promise<SweptBatch> {
  const found = await transaction.all(over, values);
  const free = await recordUses(transaction, found);
  const rows = free.map((id) => ({ id }));
  const gone = rows.length === 0 ? [] : await transaction.all(removeFreeSessions, { rows });
  return { removed: gone.length, next: found.length < values.most ? undefined : found.at(-1)?.place };
}

const overSessions = {
  endedSessions: overOf('endedSessions'),
  oldSessions: overOf('oldSessions'),
} as const satisfies Partial<Record<SweepTarget, Statement<Over>>>;

function overOf(target: 'endedSessions' | 'oldSessions'): Statement<Over> {
  const [, column, isOver] = conditions[target];
  return statement<Over>(
    ({ value }) => sql`select id, user_id, last_used_at, ${sql.ref(column)} as place from sessions
      where ${sql.ref(column)} >= ${value('after')} and ${isOver((name) => value(name))}
      order by ${sql.ref(column)} limit ${value('most')}`,
  );
}

const removeFreeSessions = statement<unknown>(({ dialect, isAmong, lock }) => {
  const isWanted = isAmong('sessions', 'id', 'rows');
  const free = sql`select id from sessions where ${isWanted} ${lock('skip')}`;
  return sql`delete from sessions where ${dialect === 'postgres' ? sql`id = any(array(${free}))` : isWanted} returning id`;
});

const statements = Object.fromEntries(
  Object.keys(conditions).map((target) => [target, targetOf(target as SweepTarget)]),
) as Record<SweepTarget, Statement<Gone>>;

type GoneEvents = Gone & { readonly highest: number | null; readonly unplaced: 0 | 1 };

const removeEvents = targetOf<GoneEvents>('auditEvents', [
  [sql`highest`, sql`case when order_no is not null then position end`],
  [sql`unplaced`, sql`case when order_no is not null and position is null then 1 else 0 end`],
]);

type Named = readonly [name: Sql, value: Sql];

/** `also`: further values of each row. PostgreSQL gives the highest of each, so the rows need not travel. */
function targetOf<T extends Gone = Gone>(target: SweepTarget, also: readonly Named[] = []): Statement<T> {
  const [table, column, isOver] = conditions[target];
  return statement<T>(({ dialect, value, lock }) => {
    const key = sql.ref(keyOf(table)[0] ?? 'id');
    // Skips rows that a request holds: it may be about to renew them.
    const over = sql`select ${key} from ${sql.table(table)} where ${sql.ref(column)} >= ${value('after')}
      and ${isOver((name) => value(name))} order by ${sql.ref(column)} limit ${value('most')} ${lock('skip')}`;
    // As an array, PostgreSQL finds the keys once and then by index; as a subquery it may read the whole table.
    const isChosen = dialect === 'postgres' ? sql`${key} = any(array(${over}))` : sql`${key} in (${over})`;
    const named: readonly Named[] = [[sql`place`, sql.ref(column)], ...also];
    const values = sql.join(named.map(([name, each]) => sql`${each} as ${name}`));
    const removal = sql`delete from ${sql.table(table)} where ${isChosen} returning`;
    if (dialect === 'sqlite') return sql`${removal} 1 as removed, ${values}`;
    const highest = sql.join(named.map(([name]) => sql`max(${name}) as ${name}`));
    return sql`with gone as (${removal} ${values}) select count(*) as removed, ${highest} from gone`;
  });
}
