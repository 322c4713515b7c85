// Removes rows whose time is over, a small batch at a time, so that no table grows with time and no request waits.
import { firstIdAt } from '../../kernel/random.ts';
import { planRetention, type RetentionInput } from '../../kernel/retention.ts';
import { keyOf, type TableName } from '../engine/schema.ts';
import { type Sql, sql } from '../engine/sql.ts';
import { type Statement, statement } from '../engine/statement.ts';
import type { SweepTarget } from '../engine/sweep-targets.ts';
import { operation } from '../engine/transaction.ts';

type Condition = (value: (name: string) => Sql) => Sql;

const isPastSweep: Condition = (value) => sql`sweep_at < ${value('now')}`;

/** The rows that go, by table and condition. An index finds the rows of each condition. */
const conditions = {
  challenges: ['challenges', isPastSweep],
  loginLinks: ['login_links', isPastSweep],
  limits: ['limits', isPastSweep],
  captchas: ['captchas', isPastSweep],
  idempotencyKeys: ['idempotency_keys', isPastSweep],
  uploads: ['uploads', isPastSweep],
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
  admins: ['admins', (value) => sql`ends_at < ${value('adminBefore')}`],
} as const satisfies Record<SweepTarget, readonly [TableName, Condition]>;

export type Sweep = RetentionInput & { readonly target: SweepTarget; readonly most: number };

/** Gives how many rows were removed. */
export const sweepTable = operation(async (transaction, inputs: readonly Sweep[]): Promise<number[]> => {
  const counts: number[] = [];
  for (const input of inputs) {
    const { target, now, most } = input;
    const before = planRetention(input);
    const gone = await transaction.all(statements[target], {
      now,
      most,
      endedBefore: before.endedSessions,
      sessionBefore: firstIdAt(before.oldSessions),
      inboxBefore: firstIdAt(before.inbox),
      parkedBefore: firstIdAt(before.parkedMessages),
      auditBefore: firstIdAt(before.auditEvents),
      adminBefore: before.admins,
      webhooksBefore: before.doneWebhooks,
      oldWebhooksBefore: firstIdAt(before.oldWebhooks),
      keyBefore: before.signingKeys,
    });
    counts.push(gone.length);
  }
  return counts;
});

const statements = Object.fromEntries(
  Object.entries(conditions).map(([target, [table, isOver]]) => [target, targetOf(table, isOver)]),
) as Record<SweepTarget, Statement<unknown>>;

function targetOf(table: TableName, isOver: Condition): Statement<unknown> {
  return statement<unknown>(({ dialect, value, lock }) => {
    const key = sql.ref(keyOf(table)[0] ?? 'id');
    // Skips rows that a request holds: it may be about to renew them.
    const over = sql`select ${key} from ${sql.table(table)} where ${isOver((name) => value(name))}
      limit ${value('most')} ${lock('skip')}`;
    // As an array, PostgreSQL finds the keys once and then by index; as a subquery it may read the whole table.
    const isChosen = dialect === 'postgres' ? sql`${key} = any(array(${over}))` : sql`${key} in (${over})`;
    return sql`delete from ${sql.table(table)} where ${isChosen} returning ${key}`;
  });
}
