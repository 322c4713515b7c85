// Inputs of the operations on the log of events that apps read, and its generated rows.
import fc from 'fast-check';
import { eventRows } from '../house-rows.ts';
import { type AllInputs, inputsOf } from '../inputs.ts';
import { eventIds, few, idAt, maybe, pick } from '../pool.ts';
import type { Rows } from '../tables.ts';

const era = idAt(0, 'era');
const otherEra = idAt(0, 'other');

const progress = pick(['internal', 'unplaced', 'unplaced', 'placed'] as const);

/** Some events have positions, some wait for one. Their numbers run against their ids. */
export const logRows: fc.Arbitrary<Rows> = fc
  .record({
    rows: eventRows,
    progresses: fc.tuple(...eventIds.map(() => progress)),
    log: maybe(fc.record({ last: pick([5, 6]), swept: few(4) })),
  })
  .map(({ rows, progresses, log }) => ({
    ...rows,
    audit_events: (rows.audit_events ?? []).map((row) => {
      const at = eventIds.indexOf(row.id);
      const isPlaced = progresses[at] === 'placed';
      return {
        ...row,
        order_no: progresses[at] === 'internal' ? null : 10 - at,
        position: isPlaced ? at + 1 : null,
      };
    }),
    event_log: log === undefined ? [] : [{ slot: 'this', era, last_position: log.last, swept_position: log.swept }],
  }));

/** Places at the start of the log, inside, before what was swept, beyond its end, and in another era. */
const queries = fc.record({
  after: maybe(fc.record({ era: pick([era, era, era, otherEra]), position: few(8) })),
  most: fc.integer({ min: 1, max: 4 }),
});

export const logInputs = {
  'events.read': inputsOf(logRows, queries, (query) => query),
  'events.placeAndRead': inputsOf(logRows, queries, (query) => query),
} satisfies Partial<AllInputs>;
