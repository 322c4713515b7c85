// Stops taking connections without cutting one on which a request is arriving.
import type { Server } from 'node:http';
import { Server as NetServer } from 'node:net';
import { setImmediate as afterPoll, setTimeout as sleep } from 'node:timers/promises';

/** From now on every answer closes its connection; a client that is busy on one has that answer well within this time. */
const lastAnswerMilliseconds = 500;
const stepMilliseconds = 20;

/** To be awaited before the server is closed, which ends every connection that is idle at that moment. */
export async function closeDoor(server: Server): Promise<void> {
  // Right after the poll for events nobody stands between the kernel's queue and us: closing resets whoever does.
  await afterPoll();
  if (server.listening) NetServer.prototype.close.call(server);
  for (let waited = 0; waited < lastAnswerMilliseconds; waited += stepMilliseconds) {
    if ((await countConnections(server)) === 0) return;
    await sleep(stepMilliseconds);
  }
}

function countConnections(server: Server): Promise<number> {
  return new Promise((resolve) => {
    server.getConnections((error, count) => resolve(error === null ? count : 0));
  });
}
