// The ports of an example: what is not a port, one port for both programs, and ports that are taken, with a command that works.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { after, describe, it } from 'node:test';
import { requireFreePorts } from '../../examples/start/require-free-ports.ts';
import { freePort } from '../helpers/databases/postgres-server.ts';

describe('the ports of an example', () => {
  const servers = [createServer(), createServer()];
  const listening = Promise.all(
    servers.map(async (server) => {
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      return (server.address() as AddressInfo).port;
    }),
  );
  after(() => {
    for (const server of servers) server.close();
  });

  for (const port of [Number('abc'), 0, 70_000, 80.5])
    it(`${port} is refused as a port, with the name of its setting`, async () => {
      await assert.rejects(requireFreePorts({ name: 'notes', ports: { app: port, gatehouse: 8080 } }), {
        message: 'EXAMPLE_PORT is not a port. Write a whole number from 1 to 65535.',
      });
    });

  it('one port for both programs is refused', async () => {
    await assert.rejects(requireFreePorts({ name: 'notes', ports: { app: 8080, gatehouse: 8080 } }), {
      message: 'EXAMPLE_PORT and GATEHOUSE_PORT are both 8080. Choose two ports.',
    });
  });

  it('all ports that are taken are named at once, and the command that is proposed has two others', async () => {
    const taken = await listening;
    const [app = 0, gatehouse = 0] = taken;
    const said = await requireFreePorts({ name: 'notes', ports: { app, gatehouse } }).catch(
      (error: Error) => error.message,
    );
    const [, first, second] =
      /^Ports \d+ and \d+ are in use by other programs\. .*: GATEHOUSE_PORT=(\d+) EXAMPLE_PORT=(\d+) npm run example -- notes$/.exec(
        String(said),
      ) ?? assert.fail(String(said));
    assert.equal(new Set([...taken, Number(first), Number(second)]).size, 4);
  });

  it('one port that is taken is named alone', async () => {
    const [app = 0] = await listening;
    await assert.rejects(requireFreePorts({ name: 'notes', ports: { app, gatehouse: await freePort() } }), {
      message: /^Port \d+ is in use by another program\. End it, or choose another port: EXAMPLE_PORT=\d+ npm run/,
    });
  });
});
