// Inputs of the operations on the standings of nodes, and their generated rows.
import fc from 'fast-check';
import { type AllInputs, inputsOf } from '../inputs.ts';
import { day, favour, few, hour, minute, moment, momentOf, noon, pick, second } from '../pool.ts';
import { type Rows, rowsFor } from '../tables.ts';

const nodes = ['node 0', 'node 1', 'node 2'];
const omission = { channel: 'sms', provider: 'twilio', since: noon } as const;

const standingRows: fc.Arbitrary<Rows> = fc.record({
  node_standings: rowsFor<'node_standings', number>(
    nodes,
    pick([second, -2 * minute, minute, 23 * hour, 2 * day]),
    (id, ago) => ({
      id,
      omissions: JSON.stringify([omission]),
      seen_at: noon - ago,
    }),
  ),
});

export const standingInputs = {
  'standings.note': inputsOf(
    standingRows,
    fc.record({ node: favour(nodes), omissions: few(2), at: moment }),
    ({ node, omissions, at }, index) => ({
      node,
      omissions: Array.from({ length: omissions }, () => omission),
      seenAt: momentOf(at, index),
    }),
  ),
  'standings.list': inputsOf(standingRows, moment, (at, index) => ({ now: momentOf(at, index) })),
} satisfies Partial<AllInputs>;
