// The command `database adopt`: declares the PostgreSQL server that accepts writes the right one, whatever nodes remember.

import { CommandError } from '../command-error.ts';
import type { Command } from '../declarations.ts';
import { openReachable, unreachable } from '../open-migrated.ts';
import { writeServers } from './write-servers.ts';

export const databaseAdopt: Command<'database adopt'> = async (context, { reason, yes }) => {
  const by = context.act(reason);
  const config = context.config();
  const store = await openReachable(config);
  try {
    const { cluster } = store;
    if (cluster === undefined)
      throw new CommandError('There is nothing to adopt: DATABASE_URL is not set, and SQLite has one server.');
    const { servers } = await cluster.view();
    context.say(writeServers(servers));
    const [first, ...others] = writableServers(servers);
    if (first === undefined) throw new CommandError('No server of DATABASE_URL accepts writes. Nothing was changed.');
    if (others.length > 0)
      throw new CommandError(
        'Several servers accept writes. Run the command again with a DATABASE_URL that names only the right one.',
      );
    await context.confirm(
      `After this every node uses ${first.place}, and no other server that was a primary before. What only those have confirmed is lost.`,
      yes,
    );
    const adopted = await cluster.adopt(first.place, by).catch(unreachable(config));
    context.show(
      { server: first.place, ...adopted },
      `Nodes use ${first.place} from now on; those that are running notice it within half a minute.`,
    );
    return 0;
  } finally {
    await store.close();
  }
};

/** A server that is named twice counts once. */
function writableServers(servers: Parameters<typeof writeServers>[0]) {
  const starts = new Set<string>();
  return servers.filter(({ state }) => {
    if (state.kind !== 'writable' || starts.has(state.startedAt)) return false;
    starts.add(state.startedAt);
    return true;
  });
}
