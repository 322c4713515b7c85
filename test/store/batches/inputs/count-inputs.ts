// Inputs of the operations that count what happened on each day, and their generated rows.
import fc from 'fast-check';
import { dayOf } from '../../../../src/support/day-counts.ts';
import { type AllInputs, inputsOf } from '../inputs.ts';
import { day, eventIds, few, hour, minute, noon, pick } from '../pool.ts';
import { joined, type Rows, rowsFor } from '../tables.ts';
import { logRows } from './log-inputs.ts';

const today = dayOf(noon);

const counters = rowsFor<'counters', string>(['audit events'], pick(eventIds), (slot, counted_until) => ({
  slot,
  counted_until,
}));

const kinds = ['signIns', 'signUps', 'a kind of a later version'];

const dayCounts = rowsFor<'day_counts', number>(
  kinds.flatMap((kind) => [today, today - 91].map((at) => `${at} ${kind}`)),
  few(5),
  (id, amount) => {
    const at = id.indexOf(' ');
    return { id, day: Number(id.slice(0, at)), kind: id.slice(at + 1), amount };
  },
);

/** Some events are counted already, some are not. */
export const countRows: fc.Arbitrary<Rows> = joined(logRows, fc.record({ counters, day_counts: dayCounts }));

/** Before, at and after the time at which the events of the rows are settled. */
const moments = pick([-3 * hour, 0, 6 * minute, 2 * day]);

export const countInputs = {
  'dayCounts.countEvents': inputsOf(
    countRows,
    fc.record({ at: moments, most: pick([1, 2, 100]) }),
    ({ at, most }, index) => ({
      now: noon + at + index,
      most,
    }),
  ),
  'dayCounts.readDayCounts': inputsOf(countRows, fc.record({ at: moments, days: few(2) }), ({ at, days }) => ({
    sinceDay: today - days,
    now: noon + at,
  })),
} satisfies Partial<AllInputs>;
