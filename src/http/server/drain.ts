// Reads a limited rest of a refused request's body, so that the client can read the answer, then closes the connection.
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { mayBeCostly } from './body-framing.ts';
import { type ServerTimes, serverTimes } from './server-times.ts';

const mostBytes = 1024 * 1024;
/** The limit for a body that may be split into chunks of one byte. */
const mostCostlyBytes = 128 * 1024;
const checkMilliseconds = 5;

type DrainTimes = Pick<ServerTimes, 'drainMilliseconds' | 'lingerMilliseconds'>;

/** Whether nothing of the request is still to come. */
export function isWhole(request: IncomingMessage): boolean {
  return request.complete || request.readableEnded;
}

/** Counts bytes at the socket: Node discards the rest of an answered request without an event. */
export function drain(request: IncomingMessage, times: DrainTimes = serverTimes): void {
  if (isWhole(request) || request.destroyed) return;
  const { socket } = request;
  const before = socket.bytesRead;
  const most = mayBeCostly(request) ? mostCostlyBytes : mostBytes;
  // Checks are counted because after a stall of the process a deadline would pass before the buffered bytes are read.
  const mostChecks = times.drainMilliseconds / checkMilliseconds;
  let checks = 0;
  request.resume();
  const timer = setInterval(() => {
    const isOver = socket.bytesRead - before > most || ++checks > mostChecks;
    if (!request.complete && !socket.destroyed && !isOver) return;
    clearInterval(timer);
    if (!request.complete && !socket.destroyed) closeGently(socket, times);
  }, checkMilliseconds);
}

/** Ends our side first, so that the client can read the whole answer. Destroys the socket a little later. */
function closeGently(socket: Socket, { lingerMilliseconds }: DrainTimes): void {
  socket.pause();
  socket.end();
  setTimeout(() => socket.destroy(), lingerMilliseconds).unref();
}
