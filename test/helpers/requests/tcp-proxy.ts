// A TCP proxy in front of a real server that can cut a connection at a chosen moment.
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** unsent: the server never gets the marked bytes. unanswered: it gets them, but its answer is lost. */
export type Cut = 'unsent' | 'unanswered';

export type TcpProxy = {
  readonly port: number;
  /** Cuts the connection on which a client next sends these bytes. Resolves when that has happened. */
  cutAt(marker: Buffer, cut: Cut): Promise<void>;
  /** Cuts every open connection. */
  cutAll(): void;
  /** While true, new connections are refused. */
  refuse(isRefusing: boolean): void;
  /** While true, no bytes pass and neither end gets an error. The bytes arrive afterwards. */
  hold(isHolding: boolean): void;
  close(): Promise<void>;
};

/** Gets the bytes of both ends of one connection and decides what to pass on. */
export type Tap = (
  client: Socket,
  upstream: Socket,
) => { toServer(chunk: Buffer): void; toClient(chunk: Buffer): void };

type TcpProxyOptions = { readonly port?: number; readonly tap?: Tap };

export async function startTcpProxy(
  target: { host: string; port: number },
  { port = 0, tap = straight }: TcpProxyOptions = {},
): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.setNoDelay(true);
    socket.on('error', () => undefined);
    socket.once('close', () => sockets.delete(socket));
  };
  let isRefusing = false;
  let isHolding = false;
  let trap: { marker: Buffer; cut: Cut; spring(): void } | undefined;

  const server = createServer((client) => {
    keep(client);
    if (isRefusing) return void client.destroy();
    const upstream = connect(target);
    keep(upstream);
    if (isHolding) for (const socket of [client, upstream]) socket.pause();
    const { toServer, toClient } = tap(client, upstream);
    client.on('data', (chunk: Buffer) => {
      if (trap?.marker === undefined || !chunk.includes(trap.marker)) return toServer(chunk);
      const { cut, spring } = trap;
      trap = undefined;
      // The server keeps its side open, because it must commit without a client.
      if (cut === 'unanswered') upstream.write(chunk, () => client.destroy());
      else {
        client.destroy();
        upstream.destroy();
      }
      spring();
    });
    upstream.on('data', toClient);
    upstream.once('close', () => client.destroy());
    client.once('end', () => upstream.end());
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');

  return {
    port: (server.address() as AddressInfo).port,
    cutAt: (marker, cut) =>
      new Promise((resolve) => {
        trap = { marker, cut, spring: resolve };
      }),
    cutAll: () => {
      for (const socket of sockets) socket.destroy();
    },
    refuse: (value) => {
      isRefusing = value;
    },
    hold: (value) => {
      isHolding = value;
      for (const socket of sockets) {
        if (value) socket.pause();
        else socket.resume();
      }
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function straight(client: Socket, upstream: Socket): ReturnType<Tap> {
  return {
    toServer: (chunk) => void upstream.write(chunk),
    toClient: (chunk) => void (client.destroyed ? upstream.end() : client.write(chunk)),
  };
}
