// What each node leaves out of the providers of messages: one row for a node while it does.
import { currentAround, isCurrent, keptSince, type NodeStanding } from '../../../messages/delivery/node-standing.ts';
import { openRows, remove } from '../../engine/rows.ts';
import type { Row } from '../../engine/schema.ts';
import { sql } from '../../engine/sql.ts';
import { statement } from '../../engine/statement.ts';
import { operation, reading } from '../../engine/transaction.ts';

export const note = operation(async (transaction, inputs: readonly NodeStanding[]): Promise<undefined[]> => {
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

export const list = reading(
  async (transaction, inputs: readonly { readonly now: number }[]): Promise<NodeStanding[][]> => {
    const times = inputs.map(({ now }) => currentAround(now));
    const since = Math.min(...times.map((time) => time.since));
    const until = Math.max(...times.map((time) => time.until));
    const standings = (await transaction.all(standingsBetween, { since, until })).map(toStanding);
    return inputs.map(({ now }) => standings.filter((standing) => isCurrent(standing, now)));
  },
);

/** Skips what another node forgets at the moment. */
const forgetOld = statement<never>(
  ({ value, lock }) => sql`delete from node_standings where id in (select id from node_standings
    where seen_at < ${value('since')} ${lock('skip')})`,
);

/** Nodes that are killed again and again leave a row each, which stays for a day. */
const standingsBetween = statement<Row<'node_standings'>>(
  ({ all, value }) => sql`select ${all('node_standings')} from node_standings
    where seen_at > ${value('since')} and seen_at < ${value('until')} order by id`,
);

function toStanding({ id, omissions, seen_at }: Row<'node_standings'>): NodeStanding {
  return { node: id, omissions: JSON.parse(omissions) as NodeStanding['omissions'], seenAt: seen_at };
}

function fromStanding({ node, omissions, seenAt }: NodeStanding): Row<'node_standings'> {
  return { id: node, omissions: JSON.stringify(omissions), seen_at: seenAt };
}
