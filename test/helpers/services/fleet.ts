// Several nodes on one PostgreSQL and one S3 behind a real HAProxy without sticky sessions. Nodes can start and stop under load.

import { freePort } from '../databases/postgres-server.ts';
import type { Undo } from '../faults/undo.ts';
import { type Haproxy, startHaproxy } from '../proxies/haproxy.ts';
import { waitUntil } from '../wait-until.ts';
import { type GatehouseProcess, spawnGatehouse, type TestEnv } from './gatehouse.ts';

type Fleet = {
  /** The URL of HAProxy, which clients use. */
  readonly url: string;
  readonly env: TestEnv;
  readonly nodes: ReadonlyMap<number, GatehouseProcess>;
  /** Starts a node in a free place, and waits until it gets requests. */
  up(place: number, more?: TestEnv): Promise<void>;
  /** Stops the node and waits for its end. */
  down(place: number): Promise<void>;
};

/** The first `count` places are filled at once. */
export async function openFleet(
  undo: Undo,
  shared: TestEnv,
  size: { readonly places: number; readonly count: number },
): Promise<Fleet> {
  const ports: string[] = [];
  for (let place = 0; place < size.places; place++) ports.push(String(await freePort()));
  const port = await freePort();
  const env = { ...shared, PUBLIC_URL: `http://localhost:${port}`, METRICS_PORT: 'off', LOG_LEVEL: 'silent' };
  const nodes = new Map<number, GatehouseProcess>();
  undo(() => Promise.all([...nodes.values()].map((node) => node.stop('SIGKILL'))));
  const spawn = async (place: number, more: TestEnv = {}) => {
    nodes.set(place, await spawnGatehouse({ ...env, ...more, PORT: ports[place] ?? '' }));
  };
  await Promise.all(Array.from({ length: size.count }, (_, place) => spawn(place)));
  const proxy: Haproxy = await startHaproxy(ports, port);
  undo(proxy.stop);
  const see = (isSeen: (serving: readonly number[]) => boolean) =>
    waitUntil('HAProxy sees which nodes are there', async () => isSeen(await proxy.serving()));
  // HAProxy treats every place as a node until its first check.
  await see((serving) => serving.length === size.count);
  return {
    url: proxy.url,
    env: { ...env, PORT: String(port) },
    nodes,
    up: async (place, more) => {
      await spawn(place, more);
      await see((serving) => serving.includes(place));
    },
    down: async (place) => {
      await nodes.get(place)?.stop();
      nodes.delete(place);
    },
  };
}
