// Counts of each day in the store: audit events are counted once, in order, and the newest ones are added when somebody reads.
import type { AuditDetail } from '../../../kernel/audit.ts';
import { findWord } from '../../../kernel/text/closed-list.ts';
import {
  type CountedEvent,
  type CountingStep,
  countDays,
  countId,
  countKinds,
  type DayCount,
  dayMilliseconds,
  firstCounted,
  mostUncounted,
  settledUntil,
} from '../../../support/day-counts.ts';
import { openRows } from '../../engine/rows.ts';
import type { Row } from '../../engine/schema.ts';
import { sql } from '../../engine/sql.ts';
import { statement } from '../../engine/statement.ts';
import { operation, reading } from '../../engine/transaction.ts';

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

/**
 * One statement, so that an event that gets counted meanwhile is read once: as counted, or as not counted. The database sums the
 * new events, and readers who come together share one answer: staff who look must not keep users waiting.
 */
export const readDayCounts = reading(async (transaction, inputs: readonly Range[]): Promise<DayCount[][]> => {
  const known = new Map<string, Promise<DayCount[]>>();
  const read = ({ sinceDay, now }: Range): Promise<DayCount[]> => {
    const range = { sinceDay, first: firstCounted(now) };
    const key = `${range.sinceDay} ${range.first}`;
    const counts = known.get(key) ?? transaction.all(countsAndEvents, { ...range, most: mostUncounted }).then(toCounts);
    known.set(key, counts);
    return counts.then((all) => all.filter(({ day }) => day >= sinceDay));
  };
  const outputs: DayCount[][] = [];
  for (const input of inputs) outputs.push(await read(input));
  return outputs;
});

function toCounts(rows: readonly Found[]): DayCount[] {
  const counted = rows.flatMap(({ is_event, day, kind, amount }): DayCount[] => {
    const known = findWord(countKinds, kind);
    return is_event === 0 && known !== undefined ? [{ day, kind: known, amount }] : [];
  });
  const events = rows
    .filter(({ is_event }) => is_event === 1)
    .map(({ day, kind, channel, amount, size }) => ({
      kind,
      at: day * dayMilliseconds,
      detail: { channel, size },
      times: amount,
    }));
  return countDays(events, counted);
}

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

type Found = {
  readonly is_event: number;
  readonly day: number;
  readonly kind: string;
  readonly channel: string;
  /** Of a count, or how many events. */
  readonly amount: number;
  readonly size: number;
};

const countsAndEvents = statement<Found>(
  ({ value, dialect }) => sql`select 0 as is_event, day, kind, '' as channel, amount, 0 as size from day_counts
      where day >= ${value('sinceDay')}
    union all
    select 1, created_at / ${sql.lit(dayMilliseconds)} as day, kind, ${channelOf[dialect]} as channel, count(*), ${sumOfSizes[dialect]}
      from (select kind, created_at, detail from audit_events
        where id > coalesce((select counted_until from counters where slot = ${sql.lit(slot)}), ${value('first')})
        order by id limit ${value('most')}) as uncounted
      group by 2, 3, 4`,
);

const channelOf = {
  sqlite: sql`case when kind = 'message.sent' then coalesce(detail ->> 'channel', '') else '' end`,
  postgres: sql`case when kind = 'message.sent' then coalesce(detail::json ->> 'channel', '') else '' end`,
};

/** What is no whole number counts as nothing. */
const sumOfSizes = {
  sqlite: sql`coalesce(sum(case when kind = 'file.stored' and typeof(detail ->> 'size') = 'integer' and detail ->> 'size' >= 0
    then detail ->> 'size' end), 0)`,
  postgres: sql`coalesce(sum(case when kind = 'file.stored' and (detail::json -> 'size')::text ~ '^[0-9]{1,15}$'
    then (detail::json ->> 'size')::int8 end), 0)::int8`,
};
