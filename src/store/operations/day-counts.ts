// Counts of each day in the store: audit events are counted once, in order, and the newest ones are added when somebody reads.
import type { AuditDetail } from '../../kernel/audit.ts';
import { findWord } from '../../kernel/closed-list.ts';
import {
  type CountedEvent,
  type CountingStep,
  countDays,
  countId,
  countKinds,
  type DayCount,
  firstCounted,
  mostUncounted,
  settledUntil,
} from '../../support/day-counts.ts';
import { openRows } from '../engine/rows.ts';
import type { Row } from '../engine/schema.ts';
import { sql } from '../engine/sql.ts';
import { statement } from '../engine/statement.ts';
import { operation, reading } from '../engine/transaction.ts';

/** The key of the counter that says up to which event the days are counted. */
const slot = 'audit events';

/** The row of the counter is locked until the commit, so no two nodes count the same event. */
export const countEvents = operation(async (transaction, inputs: readonly CountingStep[]): Promise<number[]> => {
  const counters = await openRows(transaction, 'counters', 'slot', [slot]);
  const before = counters.get(slot)?.counted_until;
  let until = before;
  let counted: DayCount[] = [];
  const outputs: number[] = [];
  for (const { now, most } of inputs) {
    const after: string = until ?? firstCounted(now);
    const events = await transaction.all(nextEvents, { after, until: settledUntil(now), most });
    counted = countDays(events.map(toEvent), counted);
    until = events.at(-1)?.id ?? until;
    outputs.push(events.length);
  }
  if (until === undefined || until === before) return outputs;
  const days = await openRows(transaction, 'day_counts', 'id', counted.map(countId));
  for (const { day, kind, amount } of counted) {
    const id = countId({ day, kind });
    days.put({ id, day, kind, amount: (days.get(id)?.amount ?? 0) + amount });
  }
  counters.put({ slot, counted_until: until });
  await counters.save();
  await days.save();
  return outputs;
});

type Range = { readonly sinceDay: number; readonly now: number };

/** One statement, so that an event that gets counted meanwhile is read once: as counted, or as not counted. */
export const readDayCounts = reading(async (transaction, inputs: readonly Range[]): Promise<DayCount[][]> => {
  const outputs: DayCount[][] = [];
  for (const { sinceDay, now } of inputs) {
    const rows = await transaction.all(countsAndEvents, { sinceDay, first: firstCounted(now), most: mostUncounted });
    const counted = rows.flatMap(({ is_event, day, kind, amount }): DayCount[] => {
      const known = findWord(countKinds, kind);
      return is_event === 0 && known !== undefined ? [{ day, kind: known, amount }] : [];
    });
    const events = rows.filter(({ is_event }) => is_event === 1).map(toEvent);
    outputs.push(countDays(events, counted).filter(({ day }) => day >= sinceDay));
  }
  return outputs;
});

type EventRow = Pick<Row<'audit_events'>, 'kind' | 'created_at' | 'detail'>;

function toEvent({ kind, created_at, detail }: EventRow): CountedEvent {
  return { kind, at: created_at, detail: detail === '' ? {} : (JSON.parse(detail) as AuditDetail) };
}

/** Only the details that are counted are read. */
const countedDetail = sql`case when kind in ('message.sent', 'file.stored') then detail else '' end as detail`;

const nextEvents = statement<EventRow & { id: string }>(
  ({ value }) => sql`select id, kind, created_at, ${countedDetail} from audit_events
    where id > ${value('after')} and id < ${value('until')} order by id limit ${value('most')}`,
);

type Found = EventRow & { readonly is_event: number; readonly day: number; readonly amount: number };

const countsAndEvents = statement<Found>(
  ({ value }) => sql`select 0 as is_event, day, kind, amount, 0 as created_at, '' as detail from day_counts
      where day >= ${value('sinceDay')}
    union all
    select 1 as is_event, 0 as day, kind, 0 as amount, created_at, ${countedDetail}
      from (select kind, created_at, detail from audit_events
        where id > coalesce((select counted_until from counters where slot = ${sql.lit(slot)}), ${value('first')})
        order by id limit ${value('most')}) as uncounted`,
);
