// The log of events that apps read: events get their positions when they are read, by one transaction at a time.

import {
  cutPage,
  type EventLog,
  type EventQuery,
  type EventReading,
  isBehind,
  type PlacedEvent,
} from '../../../backend/event-log.ts';
import { newId } from '../../../kernel/crypto/random.ts';
import { openRows } from '../../engine/rows.ts';
import type { Row } from '../../engine/schema.ts';
import { sql } from '../../engine/sql.ts';
import { statement } from '../../engine/statement.ts';
import { operation, reading, type Transaction } from '../../engine/transaction.ts';
import { toEvent } from '../audit-listing.ts';

/** The key of the only row. */
export const logSlot = 'this';

/** At least as many as the largest page holds: a page that is not full then has every event. */
const mostPlaced = 1000;

/** Reads the page first and the state of the log after it: what the sweep removes in between makes the place of the reader too old. */
export const read = reading(async (transaction, inputs: readonly EventQuery[]): Promise<EventReading[]> => {
  const outputs: EventReading[] = [];
  for (const query of inputs) {
    const following = await listFollowing(transaction, query);
    const [row] = await transaction.all(logState, {});
    outputs.push(row === undefined ? { kind: 'behind' } : judge(query, row, following));
  }
  return outputs;
});

function judge(query: EventQuery, row: LogState, following: readonly PlacedEvent[]): EventReading {
  const log = toLog(row);
  const page = cutPage(query, log, following);
  const isLacking = page.kind === 'page' && isBehind(query, log, following, row.unplaced > 0);
  return isLacking ? { kind: 'behind' } : page;
}

/**
 * The row of the log is locked until the commit, so the next transaction that gives positions sees these. An event whose
 * transaction has not ended is not visible here and gets a later position.
 */
export const placeAndRead = operation(
  async (transaction, inputs: readonly EventQuery[]): Promise<Exclude<EventReading, { kind: 'behind' }>[]> => {
    const logs = await openRows(transaction, 'event_log', 'slot', [logSlot]);
    let row = logs.get(logSlot) ?? (await beginLog(transaction));
    const outputs: Exclude<EventReading, { kind: 'behind' }>[] = [];
    for (const query of inputs) {
      row = await placeSome(transaction, row);
      outputs.push(cutPage(query, toLog(row), await listFollowing(transaction, query)));
    }
    logs.put(row);
    await logs.save();
    return outputs;
  },
);

/** A new era. A restored database has events with positions: new ones follow them. */
async function beginLog(transaction: Transaction): Promise<Row<'event_log'>> {
  const [last] = await transaction.all(lastPlaced, {});
  return { slot: logSlot, era: newId(), last_position: last?.position ?? 0, swept_position: 0 };
}

async function placeSome(transaction: Transaction, row: Row<'event_log'>): Promise<Row<'event_log'>> {
  const ids = await transaction.all(unplacedEvents, { most: mostPlaced });
  if (ids.length === 0) return row;
  const placed = ids.map(({ id }, index) => ({ id, position: row.last_position + index + 1 }));
  await transaction.run(givePositions, { rows: placed });
  return { ...row, last_position: row.last_position + placed.length };
}

async function listFollowing(transaction: Transaction, { after, most }: EventQuery): Promise<PlacedEvent[]> {
  const rows = await transaction.all(eventsAfter, { after: after?.position ?? 0, most });
  return rows.map((row) => ({ ...toEvent(row), position: row.position ?? 0 }));
}

export function toLog(row: Omit<Row<'event_log'>, 'slot'>): EventLog {
  return { era: row.era, lastPosition: row.last_position, sweptPosition: row.swept_position };
}

// The conditions on order_no and position must equal those of the partial indexes.

const eventsAfter = statement<Row<'audit_events'>>(
  ({ all, value }) => sql`select ${all('audit_events')} from audit_events where position > ${value('after')}
    and position > coalesce((select swept_position from event_log where slot = ${sql.lit(logSlot)}), 0)
    order by position limit ${value('most')}`,
);

type LogState = Omit<Row<'event_log'>, 'slot'> & { readonly unplaced: number };

const logState = statement<LogState>(
  () => sql`select era, last_position, swept_position,
    (select count(*) from (select 1 from audit_events where order_no is not null and position is null limit 1) as waiting)
      as unplaced
    from event_log where slot = ${sql.lit(logSlot)}`,
);

const lastPlaced = statement<{ position: number }>(
  () => sql`select position from audit_events where position is not null order by position desc limit 1`,
);

const unplacedEvents = statement<{ id: string }>(
  ({ value }) => sql`select id from audit_events where order_no is not null and position is null
    order by order_no, id limit ${value('most')}`,
);

const givePositions = statement<never>(({ rows, isAmong, lockedWhere, lookUp }) => {
  const input = rows('rows', 'audit_events', ['id', 'position']);
  return sql`update audit_events set position = input.position from ${input} as input
    where audit_events.id = input.id ${lookUp('audit_events', 'id', 'rows')}
    and ${lockedWhere('audit_events', isAmong('audit_events', 'id', 'rows'))}`;
});
