// Stops taking connections without cutting one on which a request is arriving.
import type { Server } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { setImmediate as afterPoll, setTimeout as sleep } from 'node:timers/promises';

/** From now on every answer closes its connection; a client that is busy on one has that answer well within this time. */
const lastAnswerMilliseconds = 500;
const stepMilliseconds = 20;

/** So long nobody may have come before the door is closed, and so long it stays open at most if they keep coming. */
const quietMilliseconds = 30;
const longestHoldMilliseconds = 300;
const justNowMilliseconds = 1;

/** To be awaited before the server is closed, which ends every connection that is idle at that moment. */
export async function stopAccepting(server: Server): Promise<void> {
  if (server.listening) await closeWhenQuiet(server);
  for (let waited = 0; waited < lastAnswerMilliseconds; waited += stepMilliseconds) {
    if ((await countConnections(server)) === 0) return;
    await sleep(stepMilliseconds);
  }
}

/**
 * Closing resets everyone who stands between the kernel's queue and us, so the queue must be empty at that moment.
 * Newcomers are therefore let in but not answered until the door is closed: whoever waits for an answer sends no one else.
 */
async function closeWhenQuiet(server: Server): Promise<void> {
  const welcome = server.listeners('connection') as ((socket: Socket) => void)[];
  const heldSockets: Socket[] = [];
  let lastCame = performance.now();
  server.removeAllListeners('connection');
  server.on('connection', (socket) => {
    heldSockets.push(socket);
    lastCame = performance.now();
  });
  const latest = lastCame + longestHoldMilliseconds;
  while (performance.now() < Math.min(lastCame + quietMilliseconds, latest)) await sleep(1);
  const end = performance.now() + longestHoldMilliseconds;
  while (!(await isAcceptQueueEmpty(() => heldSockets.length)) && performance.now() < end);
  NetServer.prototype.close.call(server);
  server.removeAllListeners('connection');
  for (const listener of welcome) server.on('connection', listener);
  for (const socket of heldSockets) server.emit('connection', socket);
}

/**
 * One is taken from the queue at each poll, so a poll that brings none has found it empty; but only if that was just now:
 * a process that had to wait for its turn in between may have a crowd before the door.
 */
async function isAcceptQueueEmpty(count: () => number): Promise<boolean> {
  const known = count();
  const begun = performance.now();
  await afterPoll();
  return count() === known && performance.now() - begun < justNowMilliseconds;
}

function countConnections(server: Server): Promise<number> {
  return new Promise((resolve) => {
    server.getConnections((error, count) => resolve(error === null ? count : 0));
  });
}
