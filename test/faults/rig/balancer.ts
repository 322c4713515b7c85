// A small load balancer, as careful as a common one: it checks readiness, sends no request to a node that is not ready, and
// repeats a request on another node only if the first did not accept the connection.
import { once } from 'node:events';
import { Agent, createServer, get, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { waitUntil } from '../../helpers/wait-until.ts';

export type Balancer = {
  readonly url: string;
  /** Resolves when that node gets requests, or gets none any more. */
  until(node: string, isReady: boolean): Promise<void>;
  /** The number of requests sent to each node. */
  readonly served: ReadonlyMap<string, number>;
  close(): Promise<void>;
};

type Node = { readonly url: string; agent: Agent; isReady: boolean };

const pauseMilliseconds = 50;

export async function startBalancer(urls: readonly string[]): Promise<Balancer> {
  const nodes: Node[] = urls.map((url) => ({ url, agent: new Agent({ keepAlive: true }), isReady: false }));
  const served = new Map<string, number>();
  let turn = 0;
  let isClosed = false;

  const watch = async (node: Node) => {
    while (!isClosed) {
      const isReady = await asksReady(node.url);
      // Idle connections end before the node ends them, so that no request uses a closing one.
      if (node.isReady && !isReady)
        for (const socket of Object.values(node.agent.freeSockets).flat()) socket?.destroy();
      node.isReady = isReady;
      await sleep(pauseMilliseconds);
    }
  };
  const server = createServer(async (asked, reply) => {
    const body = Buffer.concat(await asked.toArray());
    const ready = nodes.filter(({ isReady }) => isReady);
    turn += 1;
    for (let index = 0; index < ready.length; index++) {
      const node = ready[(turn + index) % ready.length] as Node;
      served.set(node.url, (served.get(node.url) ?? 0) + 1);
      if (await pass(node, asked, body, reply)) return;
    }
    reply.writeHead(502).end();
  });
  // The connection of a slow client must not close just when it sends a request.
  server.keepAliveTimeout = 0;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const watching = nodes.map(watch);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    served,
    until: async (url, isReady) => {
      await waitUntil('the balancer sees it', () => nodes.find((node) => node.url === url)?.isReady === isReady);
    },
    close: async () => {
      isClosed = true;
      await Promise.all(watching);
      for (const { agent } of nodes) agent.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** False if the node did not accept the connection. Any other error ends in a 502. */
function pass({ url, agent }: Node, asked: IncomingMessage, body: Buffer, reply: ServerResponse): Promise<boolean> {
  const { method, headers, url: path } = asked;
  return new Promise((resolve) => {
    const sent = request(`${url}${path}`, { agent, method: method ?? 'GET', headers }, (answer) => {
      reply.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(reply).once('close', () => resolve(true));
      answer.once('error', () => reply.destroy());
    });
    sent.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED') return resolve(false);
      if (!reply.headersSent) reply.writeHead(502, { 'x-trouble': error.code ?? error.message });
      reply.end();
      resolve(true);
    });
    sent.end(body);
  });
}

function asksReady(url: string): Promise<boolean> {
  return new Promise((resolve) => {
    get(`${url}/readyz`, { agent: false, timeout: 2000 }, (answer) => {
      answer.resume();
      resolve(answer.statusCode === 200);
    }).once('error', () => resolve(false));
  });
}
