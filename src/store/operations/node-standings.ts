// What each node leaves out of the providers of messages: one row for a node while it does.
import { keptSince, type NodeStanding } from '../../messages/node-standing.ts';
import { openRows, remove } from '../engine/rows.ts';
import type { Row } from '../engine/schema.ts';
import { sql } from '../engine/sql.ts';
import { statement } from '../engine/statement.ts';
import { operation, reading } from '../engine/transaction.ts';

export const noteStanding = operation(async (transaction, inputs: readonly NodeStanding[]): Promise<undefined[]> => {
  const last = [...new Map(inputs.map((standing) => [standing.node, standing])).values()];
  const rows = await openRows(
    transaction,
    'node_standings',
    'id',
    last.map(({ node }) => node),
  );
  for (const standing of last) if (standing.omissions.length > 0) rows.put(fromStanding(standing));
  await rows.save();
  const well = last.filter(({ omissions }) => omissions.length === 0);
  await remove(
    transaction,
    'node_standings',
    well.map(({ node }) => ({ id: node })),
  );
  const since = keptSince(Math.max(...inputs.map(({ seenAt }) => seenAt)));
  await transaction.run(forgetOld, { since });
  return inputs.map(() => undefined);
});

export const listStandings = reading(async (transaction, inputs: readonly null[]): Promise<NodeStanding[][]> => {
  const standings = (await transaction.all(everyStanding, {})).map(toStanding);
  return inputs.map(() => standings);
});

/** Skips what another node forgets at the moment. */
const forgetOld = statement<never>(
  ({ value, lock }) => sql`delete from node_standings where id in (select id from node_standings
    where seen_at < ${value('since')} ${lock('skip')})`,
);

const everyStanding = statement<Row<'node_standings'>>(
  ({ all }) => sql`select ${all('node_standings')} from node_standings order by id`,
);

function toStanding({ id, omissions, seen_at }: Row<'node_standings'>): NodeStanding {
  return { node: id, omissions: JSON.parse(omissions) as NodeStanding['omissions'], seenAt: seen_at };
}

function fromStanding({ node, omissions, seenAt }: NodeStanding): Row<'node_standings'> {
  return { id: node, omissions: JSON.stringify(omissions), seen_at: seenAt };
}
