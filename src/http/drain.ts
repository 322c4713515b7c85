// After a refusal the client may still be sending: takes in a little more so that it can read the answer, then closes.
import type { IncomingMessage } from 'node:http';

const mostBytes = 1024 * 1024;
const mostMilliseconds = 2000;

export function drain(request: IncomingMessage): void {
  if (request.complete || request.destroyed) return;
  const { socket } = request;
  let size = 0;
  const timer = setTimeout(() => socket.destroy(), mostMilliseconds);
  request.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size > mostBytes) socket.destroy();
  });
  request.once('close', () => clearTimeout(timer));
  request.once('end', () => clearTimeout(timer));
  request.resume();
}
