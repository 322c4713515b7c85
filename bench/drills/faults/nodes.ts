// The faults of the service itself: of one of three nodes, of HAProxy in front of them, and of the clock of a node.
import type { Drill } from '../drill.ts';
import type { Stage, StageNode } from '../stage.ts';
import { linkFaults, set } from './link-faults.ts';

const alerts = ['GatehouseDown'];
/** The second: the first has the clock that can be moved. */
const victim = ({ nodes }: Stage): StageNode => {
  const [, node] = nodes;
  if (node === undefined) throw new Error('a drill needs several nodes');
  return node;
};

export const nodeDrills: readonly Drill[] = [
  {
    part: 'node',
    fault: 'down',
    how: 'kill -9 of one of three nodes; it starts again at the end of the fault',
    alerts,
    begin: async (stage) => {
      const node = victim(stage);
      await node.process.stop('SIGKILL');
      return node.start;
    },
  },
  {
    part: 'node',
    fault: 'stopped',
    how: 'SIGTERM to one of three nodes, as a deployment sends it; it starts again at the end of the fault',
    begin: async (stage) => {
      const node = victim(stage);
      await node.process.stop('SIGTERM');
      return node.start;
    },
  },
  {
    part: 'node',
    fault: 'frozen',
    how: 'SIGSTOP of one of three nodes; it goes on at the end of the fault',
    alerts,
    begin: async (stage) => {
      const { child } = victim(stage).process;
      child.kill('SIGSTOP');
      return async () => void child.kill('SIGCONT');
    },
  },
  ...linkFaults('node', (stage) => [victim(stage).link]),
];

export const haproxyDrills: readonly Drill[] = [
  {
    part: 'haproxy',
    fault: 'down',
    how: 'kill -9; it starts again at the end of the fault',
    begin: async ({ haproxy }) => {
      haproxy.signal('SIGKILL');
      return haproxy.restart;
    },
  },
  {
    part: 'haproxy',
    fault: 'frozen',
    how: 'SIGSTOP; it goes on at the end of the fault',
    begin: async ({ haproxy }) => {
      haproxy.signal('SIGSTOP');
      return async () => haproxy.signal('SIGCONT');
    },
  },
  {
    part: 'haproxy',
    fault: 'split',
    how: 'packets between HAProxy and two of three nodes vanish',
    begin: ({ nodes }) =>
      set(
        nodes.slice(1).map(({ link }) => link),
        'vanish',
      ),
  },
];

export const clockDrills: readonly Drill[] = [90, -90].map((seconds) => ({
  part: 'clock',
  fault: `${seconds > 0 ? '+' : '−'}90 s`,
  how: `the clock of one node jumps ${seconds > 0 ? 'forward' : 'back'} by 90 s, and back at the end of the fault`,
  begin: async ({ time }) => {
    time.move(seconds);
    return async () => time.move(0);
  },
}));
