// After a refusal the client may still be sending: takes in a little more so that it can read the answer, then closes.
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { mayBeDear } from './body-framing.ts';

const mostBytes = 1024 * 1024;
/** Less where the rest may be cut into chunks of one byte. */
const mostDearBytes = 128 * 1024;
const lookEveryMilliseconds = 5;
/** Two seconds; counted in looks, because after a stall of the process a clock would be over before what has arrived meanwhile was read. */
const mostLooks = 400;
const closeAfterMilliseconds = 500;

/** Counted at the socket: Node throws away the rest of an answered request without telling anyone. */
export function drain(request: IncomingMessage): void {
  if (request.complete || request.readableEnded || request.destroyed) return;
  const { socket } = request;
  const before = socket.bytesRead;
  const most = mayBeDear(request) ? mostDearBytes : mostBytes;
  let looks = 0;
  // Whoever was reading has stopped, but its listener would hold the rest back.
  request.removeAllListeners('readable');
  // Not in this turn of the loop, in which the stream still counts its listener, and would stand still for good.
  setImmediate(() => request.resume());
  const timer = setInterval(() => {
    const isOver = socket.bytesRead - before > most || ++looks > mostLooks;
    if (!request.complete && !socket.destroyed && !isOver) return;
    clearInterval(timer);
    if (!request.complete && !socket.destroyed) closeGently(socket);
  }, lookEveryMilliseconds);
}

/** First our end, so that the answer is read to its end; the rest a little later. */
function closeGently(socket: Socket): void {
  socket.pause();
  socket.end();
  setTimeout(() => socket.destroy(), closeAfterMilliseconds).unref();
}
