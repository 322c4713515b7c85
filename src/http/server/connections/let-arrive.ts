// Lets every connection that the system has received be accepted, and its request be read, before an answer is given.
import type { Server } from 'node:http';
import { setImmediate as afterPoll } from 'node:timers/promises';

/** A poll accepts one connection, and the next one reads its request. The first wait may end before a poll. */
const quietTurns = 3;
/** If new connections keep arriving: Node lets 512 of them wait, so those that waited at the beginning are read by then. */
const mostTurns = 512 + quietTurns;

export function createLetArrive(server: Pick<Server, 'on'>): () => Promise<void> {
  let accepted = 0;
  server.on('connection', () => {
    accepted += 1;
  });
  return async () => {
    let quiet = 0;
    for (let turn = 0; quiet < quietTurns && turn < mostTurns; turn++) {
      const before = accepted;
      await afterPoll();
      quiet = accepted === before ? quiet + 1 : 0;
    }
  };
}
