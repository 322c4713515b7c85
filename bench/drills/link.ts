// A TCP connection between two parts that can fail in every way in which a network or the other end does.
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/**
 * What happens to bytes. A connection from before `vanish` stays dead after it, as behind a router that has forgotten it. One that begins
 * during `vanish` gets through afterwards, because systems repeat its first packet.
 */
type LinkState = 'open' | 'hang' | 'vanish' | 'slow' | { readonly garbage: string };

export type Link = {
  readonly port: number;
  /** The server that new connections reach. */
  pointTo(port: number): void;
  set(state: LinkState): void;
  /** Cuts all connections and closes the port, so that the system refuses new ones. */
  refuse(): Promise<void>;
  accept(): Promise<void>;
  close(): Promise<void>;
};

type Ends = {
  readonly client: Socket;
  readonly server: Socket;
  isDead: boolean;
  /** Until then, answers wait behind those that are late, because a connection keeps their order. */
  lateUntil: number;
  readonly late: (() => void)[];
};

/** How late each answer is in the state `slow`. */
const lateMilliseconds = 30_000;

export async function openLink(target: number): Promise<Link> {
  const open = new Set<Ends>();
  const sockets = new Set<Socket>();
  let targetPort = target;
  let state: LinkState = 'open';
  let listener: Server | undefined;
  /** Bytes that wait for the end of `hang`. */
  let held: (() => void)[] = [];

  const carry = (ends: Ends, to: Socket, isAnswer: boolean, write: () => void) => {
    if (ends.isDead) return;
    if (state === 'hang' || state === 'vanish') held.push(() => carry(ends, to, isAnswer, write));
    else if (isAnswer) answer(ends, write);
    else write();
  };
  const answer = (ends: Ends, write: () => void) => {
    const now = performance.now();
    if (state === 'slow') ends.lateUntil = now + lateMilliseconds;
    if (ends.late.length === 0 && ends.lateUntil <= now) return write();
    ends.late.push(write);
    setTimeout(() => ends.late.shift()?.(), ends.lateUntil - now).unref();
  };
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.setNoDelay(true);
    socket.on('error', () => undefined);
    socket.once('close', () => sockets.delete(socket));
  };
  const join = (client: Socket) => {
    keep(client);
    if (typeof state === 'object') return void client.end(state.garbage);
    const server = connect({ host: '127.0.0.1', port: targetPort });
    keep(server);
    const ends: Ends = { client, server, isDead: false, lateUntil: 0, late: [] };
    open.add(ends);
    for (const [from, to, isAnswer] of [
      [client, server, false],
      [server, client, true],
    ] as const) {
      from.on('data', (bytes: Buffer) =>
        carry(ends, to, isAnswer, () => {
          if (!to.destroyed) to.write(bytes);
        }),
      );
      from.once('close', () => {
        open.delete(ends);
        carry(ends, to, isAnswer, () => to.destroy());
      });
    }
  };
  const cutAll = () => {
    for (const socket of sockets) socket.destroy();
  };
  const accept = async (port: number) => {
    listener = createServer(join).listen(port, '127.0.0.1');
    await once(listener, 'listening');
    return (listener.address() as AddressInfo).port;
  };
  const refuse = async () => {
    const closed = listener === undefined ? undefined : once(listener, 'close');
    listener?.close();
    listener = undefined;
    cutAll();
    await closed;
  };
  const port = await accept(0);
  return {
    port,
    pointTo: (next) => {
      targetPort = next;
    },
    set: (next) => {
      state = next;
      if (next === 'vanish') for (const ends of open) ends.isDead = true;
      if (typeof next === 'object') cutAll();
      if (next === 'hang' || next === 'vanish') return;
      for (const pass of held.splice(0)) pass();
    },
    refuse,
    accept: async () => void (listener === undefined && (await accept(port))),
    close: async () => {
      held = [];
      await refuse();
    },
  };
}
