// PostgreSQL with a synchronous standby as the nodes of a drill see it: every connection goes over a link that can fail.
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { addStandby, promote, startPrimary } from '../../test/helpers/databases/postgres-pair.ts';
import type { PostgresServer } from '../../test/helpers/databases/postgres-server.ts';
import { type Link, openLink } from './link.ts';
import type { Undo } from './undo.ts';

/** One server and the links to it, one for each node. */
type Host = { server: PostgresServer; readonly links: readonly Link[] };

export type Database = {
  primary: Host;
  standby: Host;
  /** From the standby to the primary. */
  readonly replication: Link;
  /** For one node: the settings name both hosts. */
  urlFor(node: number): string;
  /** The standby takes over. The old primary is left as it is. */
  failOver(): Promise<void>;
  /** Removes whatever is left of the old primary, and gives the new one a standby in its place. */
  mend(): Promise<void>;
};

/** What docs/scale.md asks for: with the defaults, a connection that was lost without a word stops all writes for a minute. */
const settings = ['wal_sender_timeout=3s', 'wal_receiver_timeout=3s', 'wal_retrieve_retry_interval=1s'];

export async function openDatabase(undo: Undo, nodes: number, data?: string): Promise<Database> {
  const primary = await startPrimary({ settings, ...(data !== undefined && { data }) });
  undo(primary.end);
  const replication = await openLink(primary.port);
  undo(replication.close);
  const follow = async (leader: PostgresServer) => {
    replication.pointTo(leader.port);
    const made = await addStandby({ ...leader, port: replication.port }, { settings });
    undo(made.end);
    return made;
  };
  const linksTo = async ({ port }: PostgresServer) => {
    const links: Link[] = [];
    for (let node = 0; node < nodes; node++) links.push(await openLink(port));
    undo(() => Promise.all(links.map((link) => link.close())));
    return links;
  };
  const standby = await follow(primary);
  const database: Database = {
    primary: { server: primary, links: await linksTo(primary) },
    standby: { server: standby, links: await linksTo(standby) },
    replication,
    urlFor: (node) => {
      const hosts = [database.primary, database.standby].map(({ links }) => `127.0.0.1:${links[node]?.port}`);
      return `postgres://postgres@${hosts.join(',')}/postgres`;
    },
    failOver: () => promote(database.standby.server),
    mend: async () => {
      const { primary: old, standby: leader } = database;
      await old.server.kill();
      await replication.refuse();
      await replication.accept();
      const server = await follow(leader.server);
      for (const link of old.links) link.pointTo(server.port);
      database.primary = leader;
      database.standby = { server, links: old.links };
    },
  };
  return database;
}

/** Stops or continues every process of the server, so that it accepts connections and never answers. */
export function signalServer({ data }: PostgresServer, signal: 'SIGSTOP' | 'SIGCONT'): void {
  const postmaster = Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0]);
  const children = readFileSync(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8').split(' ');
  for (const pid of [postmaster, ...children.filter((word) => word !== '').map(Number)]) process.kill(pid, signal);
}

/** As somebody does who starts the old primary again to "get the database back": it waits for no standby. */
export async function startUnfenced(server: PostgresServer): Promise<void> {
  rmSync(join(server.data, 'postgresql.auto.conf'), { force: true });
  await server.start();
}
