// Stops accepting connections without resetting one on which a request is arriving.
import type { Server } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { setImmediate as afterPoll, setTimeout as sleep } from 'node:timers/promises';
import { type ServerTimes, serverTimes } from '../server-times.ts';

const stepMilliseconds = 20;

/** The server stops listening after this time without a new connection. */
const quietMilliseconds = 30;
/** The longest wait if new connections keep arriving. */
const longestHoldMilliseconds = 300;
const pollMilliseconds = 1;

/**
 * Await this before closing the server: closing ends every connection that is idle at that moment. From now on every answer closes
 * its connection.
 */
export async function stopAccepting(
  server: Server,
  { lastAnswerMilliseconds }: Pick<ServerTimes, 'lastAnswerMilliseconds'> = serverTimes,
): Promise<void> {
  if (server.listening) await closeWhenQuiet(server);
  for (let waited = 0; waited < lastAnswerMilliseconds; waited += stepMilliseconds) {
    if ((await countConnections(server)) === 0) return;
    await sleep(stepMilliseconds);
  }
}

/**
 * Closing resets every connection that is still in the kernel's accept queue, so the queue must be empty at that moment.
 * New connections are therefore accepted but not answered until the server is closed: a client that waits for an answer opens
 * no further connection.
 */
async function closeWhenQuiet(server: Server): Promise<void> {
  const listeners = server.listeners('connection') as ((socket: Socket) => void)[];
  const heldSockets: Socket[] = [];
  let lastArrival = performance.now();
  server.removeAllListeners('connection');
  server.on('connection', (socket) => {
    heldSockets.push(socket);
    lastArrival = performance.now();
  });
  const latest = lastArrival + longestHoldMilliseconds;
  while (performance.now() < Math.min(lastArrival + quietMilliseconds, latest)) await sleep(1);
  const end = performance.now() + longestHoldMilliseconds;
  while (!(await isAcceptQueueEmpty(() => heldSockets.length)) && performance.now() < end);
  NetServer.prototype.close.call(server);
  server.removeAllListeners('connection');
  for (const listener of listeners) server.on('connection', listener);
  for (const socket of heldSockets) server.emit('connection', socket);
}

/**
 * Each poll accepts one connection from the queue, so a poll without a new connection found the queue empty. This holds only if
 * the poll was short: if the process had to wait for the CPU meanwhile, new connections may have arrived.
 */
async function isAcceptQueueEmpty(count: () => number): Promise<boolean> {
  const known = count();
  const startedAt = performance.now();
  await afterPoll();
  return count() === known && performance.now() - startedAt < pollMilliseconds;
}

function countConnections(server: Server): Promise<number> {
  return new Promise((resolve) => {
    server.getConnections((error, count) => resolve(error === null ? count : 0));
  });
}
