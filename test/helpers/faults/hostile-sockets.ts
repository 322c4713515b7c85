// Sockets of hostile clients: they only open, never read, or break off; and the response times of an honest client.
import { once } from 'node:events';
import { Agent, get } from 'node:http';
import { connect, type Socket } from 'node:net';

/** Connects and sends these bytes. The answer is read only if the caller listens. */
export async function openSocket(url: string, bytes: string | Buffer = ''): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  if (bytes.length > 0) socket.write(bytes);
  return socket;
}

export async function openMany(url: string, count: number, bytes: (index: number) => string): Promise<Socket[]> {
  const sockets: Socket[] = [];
  const batch = 100;
  for (let done = 0; done < count; done += batch) {
    const size = Math.min(batch, count - done);
    sockets.push(
      ...(await Promise.all(Array.from({ length: size }, (_, index) => openSocket(url, bytes(done + index))))),
    );
  }
  return sockets;
}

export function closeAll(sockets: readonly Socket[]): void {
  for (const socket of sockets) socket.destroy();
}

/** The 99th percentile of an honest client's calls, in milliseconds, one at a time over one connection. */
export async function honestP99(url: string, headers: Record<string, string>, calls: number): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const times: number[] = [];
  for (let count = 0; count < calls; count++) {
    const begin = performance.now();
    const status = await new Promise<number>((resolve, reject) => {
      get(`${url}/api/auth/me`, { agent, headers }, (response) => {
        response.resume().once('end', () => resolve(response.statusCode ?? 0));
      }).once('error', reject);
    });
    if (status !== 200) throw new Error(`an honest client got ${status}`);
    times.push(performance.now() - begin);
  }
  agent.destroy();
  times.sort((a, b) => a - b);
  return times[Math.floor(times.length * 0.99)] ?? 0;
}
