// The faults of PostgreSQL: of the primary, of its synchronous standby, and of the network between.
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect } from '../../../test/helpers/databases/postgres-pair.ts';
import { signalServer, startUnfenced } from '../database.ts';
import type { Drill } from '../drill.ts';
import type { Stage } from '../stage.ts';
import { linkFaults, refuse, set } from './link-faults.ts';

const alerts = ['GatehouseDatabaseTrouble'];
/** How long an operator or a program needs to see that the primary is gone. */
const untilPromoted = 5000;

const primary = ({ database }: Stage) => database.primary.server;
const standby = ({ database }: Stage) => database.standby.server;

export const postgresDrills: readonly Drill[] = [
  {
    part: 'postgres',
    fault: 'down',
    how: 'kill -9 of all its processes; it starts again at the end of the fault',
    alerts,
    begin: async (stage) => {
      await primary(stage).kill();
      return () => primary(stage).start();
    },
  },
  {
    part: 'postgres',
    fault: 'failover',
    how: 'kill -9 of all its processes; the standby is promoted at the end of the fault',
    alerts,
    begin: async (stage) => {
      await primary(stage).kill();
      return stage.database.failOver;
    },
    mend: ({ database }) => database.mend(),
  },
  {
    part: 'postgres',
    fault: 'frozen',
    how: 'SIGSTOP of all its processes; they go on at the end of the fault',
    alerts,
    begin: async (stage) => {
      signalServer(primary(stage), 'SIGSTOP');
      return async () => signalServer(primary(stage), 'SIGCONT');
    },
  },
  ...linkFaults('postgres', ({ database }) => database.primary.links, { alerts }),
  {
    part: 'postgres',
    fault: 'full',
    how: 'the disk of the primary is full; it has room and starts again at the end of the fault',
    needs: 'small disk',
    alerts,
    begin: async (stage) => {
      const server = primary(stage);
      const filler = join(dirname(server.data), 'filler');
      const client = await connect(server);
      fill(filler);
      // Segments of the log that are already there could last for the whole fault.
      await client.query('select pg_switch_wal()').catch(() => undefined);
      await client.end().catch(() => undefined);
      return async () => {
        rmSync(filler);
        await server.kill();
        await server.start();
      };
    },
  },
  {
    part: 'postgres',
    fault: 'split, one node',
    how: 'one node reaches neither server, the others do',
    begin: ({ database }) =>
      set(
        [database.primary, database.standby].flatMap(({ links }) => links.slice(0, 1)),
        'vanish',
      ),
  },
  {
    part: 'postgres',
    fault: 'split, two primaries',
    how: 'the network of the primary fails for the standby and two nodes, the standby is promoted, the third node stays with the old one until the end of the fault',
    seconds: 20,
    begin: async (stage) => {
      const { database } = stage;
      const mends = [
        await set([database.replication], 'vanish'),
        await set(database.primary.links.slice(1), 'vanish'),
        await set(database.standby.links.slice(0, 1), 'vanish'),
      ];
      await sleep(untilPromoted);
      await database.failOver();
      return async () => {
        for (const mend of mends) await mend();
      };
    },
    mend: ({ database }) => database.mend(),
  },
  {
    part: 'postgres',
    fault: 'the old primary comes back',
    how: 'after a failover the old primary starts again without fence and standby, and one node after the other starts anew',
    seconds: 25,
    begin: async (stage) => {
      const { database, nodes } = stage;
      await primary(stage).kill();
      await sleep(untilPromoted);
      await database.failOver();
      await startUnfenced(primary(stage));
      const restarts = (async () => {
        for (const node of nodes) {
          await node.process.stop('SIGKILL');
          await node.start();
        }
      })();
      return () => restarts;
    },
    mend: ({ database }) => database.mend(),
  },
];

const late =
  'the last attempt of the standby to connect gets its answer up to 30 s after the fault, and PostgreSQL waits for it';
const standbyAlerts = ['GatehouseServerErrors'];

export const standbyDrills: readonly Drill[] = [
  {
    part: 'standby',
    fault: 'down',
    how: 'kill -9; no commit is confirmed until it is back, longer than REFRESH_TOKEN_GRACE',
    seconds: 45,
    alerts: standbyAlerts,
    begin: async (stage) => {
      await standby(stage).kill();
      return () => standby(stage).start();
    },
  },
  {
    part: 'standby',
    fault: 'frozen',
    how: 'SIGSTOP; it goes on at the end of the fault',
    alerts: standbyAlerts,
    begin: async (stage) => {
      signalServer(standby(stage), 'SIGSTOP');
      return async () => signalServer(standby(stage), 'SIGCONT');
    },
  },
  ...linkFaults('standby', ({ database }) => [database.replication], { alerts: standbyAlerts }).map((drill) =>
    drill.fault === 'slow 30 s' ? { ...drill, excuses: { recovery: late } } : drill,
  ),
  {
    part: 'standby',
    fault: 'split',
    how: 'no node reaches the standby, which still follows the primary',
    begin: ({ database }) => refuse(database.standby.links),
  },
];

function fill(file: string): void {
  try {
    execFileSync('dd', ['if=/dev/zero', `of=${file}`, 'bs=1M'], { stdio: 'ignore' });
  } catch {
    // The disk is full.
  }
}
