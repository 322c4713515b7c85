// Finds a port for a picture: the usual one if it is free, because readers see it.
import { once } from 'node:events';
import { createServer } from 'node:net';
import { freePort } from '../../test/helpers/databases/postgres-server.ts';

export async function findPort(usual: number): Promise<number> {
  const server = createServer();
  try {
    server.listen(usual, '127.0.0.1');
    await once(server, 'listening');
    server.close();
    await once(server, 'close');
    return usual;
  } catch {
    return freePort();
  }
}
